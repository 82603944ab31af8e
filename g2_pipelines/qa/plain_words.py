"""Katakana words of the common language, which are nobody's name.

Here: ``names_in_katakana``, the runs of a text that look like proper names. An answer may say
マイナス or グループ where its source has △ or a table's head; アルダー社 must stand in a source. A
run made of plain words (コストセグメント) is plain. Used by ``strangers``.
"""

from __future__ import annotations

import re
from functools import lru_cache

_RUN = re.compile(r"[ァ-ヺー]{3,}")
_LONG = 4  #: letters from which a rare word alone looks like a name
_TITLE_BEFORE = re.compile(r"(?:株式会社|有限会社|合同会社|[(（]株[)）]|[「『])\s*$")
_TITLE_AFTER = re.compile(
    r"\s*(?:株式会社|有限会社|合同会社|[(（]株[)）]|社(?![会内外員債長])|氏|さん|様|工場|支社|支店|[」』])"
)
_QUOTE = re.compile(r"[「『]\s*$")
_WORDS = """
    マイナス プラス ゼロ ポイント ピーク トップ ボトム レベル ケース ベース ランク ペース シェア コスト
    ユーロ ドル ポンド ウォン ルピー バーツ ペソ フラン パーセント メートル キロ キロメートル センチ
    センチメートル ミリ ミリメートル マイクロ マイクロメートル トン キログラム グラム ミリグラム リットル
    ワット キロワット メガワット ボルト アンペア ヘルツ ヘクタール エーカー マイル ヤード フィート インチ
    ダース バレル カロリー ジュール パスカル ケルビン モル グループ セグメント トータル ダウン アップ
    スタート リード モデル タイプ クラス カテゴリ カテゴリー ジャンル サイズ スケール スコア スコープ
    プロジェクト プログラム プラン プロセス プロフィール ギャップ テーブル グラフ リスト データ
    ページ ワースト ベスト コメント テキスト タイトル メモ ノート レポート ファイル フォルダ フォルダー
    ドキュメント セクション パート パーツ アイテム ステップ フェーズ ステージ シリーズ バージョン
    リストラ リース ローン キャッシュ キャッシュフロー フロー ストック バランス バランスシート シート
    マージン ロス メリット デメリット リスク リターン インパクト トレンド サイクル シーズン スパン
    タイミング スピード テンポ ペア セット ユニット ブロック エリア ゾーン ライン ルート コース コーナー
    センター オフィス プラント ビル フロア ルーム サイト ネット ネットワーク システム サービス サポート
    サーバ サーバー ソフト ソフトウェア ハード ハードウェア デバイス センサ センサー モータ モーター
    エンジン バッテリー ポンプ タンク パイプ バルブ ケーブル カメラ ロボット マシン ツール エネルギー
    ガス オイル ガソリン エタノール プラスチック ガラス ゴム アルミ アルミニウム ステンレス
    トラック バス タクシー コンテナ エレベーター クレーン フォークリフト スタッフ メンバー
    チーム リーダー マネージャー マネジャー オーナー ユーザー ユーザ メーカー サプライヤー パートナー
    クライアント アナリスト エンジニア オペレーター ドライバー アンケート インタビュー ヒアリング テスト
    チェック レビュー モニター モニタリング コントロール マネジメント ガバナンス コンプライアンス
    マーケット マーケティング セールス ビジネス ブランド ニーズ シナリオ ターゲット ゴール ノルマ
    キャンペーン イベント セミナー フォーラム オンライン オフライン インターネット メール アドレス
    デジタル アナログ グローバル ローカル アジア ヨーロッパ アメリカ アフリカ オセアニア イギリス
    フランス ドイツ イタリア スペイン ロシア インド ベトナム タイ インドネシア マレーシア フィリピン
    シンガポール オーストラリア カナダ メキシコ ブラジル ノルウェー フィンランド スウェーデン オランダ
    トルコ アルファベット ローマ カタカナ パターン サンプル モード オプション パラメータ
    パラメーター アルゴリズム メソッド アプローチ ベースライン アウトプット インプット アクセス
    アクション オーダー キャンセル クレーム トラブル エラー ミス ダメージ ストップ スムーズ シンプル
    フル ハーフ クォーター クオーター シングル ダブル トリプル マルチ ミニ メイン サブ メガ ギガ
    オーバー アンダー インフレ デフレ ボーナス インセンティブ コンサル コンサルティング アウトソーシング
    エクイティ ファンド ポートフォリオ オペレーション ロジスティクス サプライチェーン チェーン インフラ
    スペース ペーパー カード チケット カウント カバー キー スイッチ ボタン バー ドア エッジ コア
    ベンチマーク ランキング リミット ルール ガイド ガイドライン マニュアル スケジュール カレンダー
    デー ウイーク シフト タスク テーマ トピック トピックス ポリシー ビジョン ミッション バリュー
    パフォーマンス パワー フォーム フォーマット マーク マップ ライフ ライセンス リソース リリース
    リニューアル リサイクル レート レシオ レンジ ワーク クリア キャパシティ キャパ カーボン
    ニュートラル クリーン グリーン ホワイト ブラック レッド ブルー イエロー オレンジ カラー
    スライド イラスト イメージ キャプション フッター ヘッダー アルファ ベータ ガンマ デルタ
    メディア ニュース ラジオ テレビ スマートフォン スマホ パソコン コンピュータ
    コンピューター タブレット アプリ クラウド セキュリティ パスワード ログイン ダウンロード アップロード
    ホーム ホテル レストラン スーパー コンビニ ストア ショップ モール スポーツ ゲーム ボール
    ワクチン ウイルス アレルギー ストレス ケア リハビリ カルテ ヘルスケア ドクター ナース
    スクール クラブ キャンパス カリキュラム トレーニング コーチ テキスト
    ボリューム ウエート ウェート ウエイト ウェイト ギャラ コミット コミットメント バックログ
    リードタイム ロット ロードマップ ハイライト サマリー サマリ イコール スラッシュ
"""
_PLAIN = frozenset(_WORDS.split())
_LONGEST = max(map(len, _PLAIN))


def names_in_katakana(text: str) -> list[str]:
    """The katakana runs of ``text`` that look like proper names, in order.

    A run joined to 社, 株式会社, 氏 or 工場 or in quotes is one unless it is plain, and so is a
    longer run that no plain words make up. アルファ社 is a name although アルファ is plain.
    """
    found: list[str] = []
    for match in _RUN.finditer(text):
        run = match[0]
        before, after = text[max(0, match.start() - 6) : match.start()], text[match.end() :][:6]
        titled = _TITLE_BEFORE.search(before) or _TITLE_AFTER.match(after)
        whole = run in _PLAIN or _is_plain(run)
        if titled and whole:
            company = _TITLE_AFTER.match(after) is not None and not _QUOTE.search(before)
            if company and run in _LETTERS:
                found.append(run)
        elif not whole and (titled or len(run) >= _LONG):
            found.append(run)
    return found


_LETTERS = frozenset(["アルファ", "ベータ", "ガンマ", "デルタ"])


@lru_cache(maxsize=4096)
def _is_plain(run: str) -> bool:
    """Whether plain words of two letters or more make up the whole run."""
    reached = {0}
    for end in range(1, len(run) + 1):
        if any(
            start in reached and run[start:end] in _PLAIN
            for start in range(max(0, end - _LONGEST), end - 1)
        ):
            reached.add(end)
    return len(run) in reached
