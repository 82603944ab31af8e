"""What is kept in memory: the bound, and that nothing kept outlives its table."""

from __future__ import annotations

from g2_pipelines.defs.kept import Kept


def test_what_is_held_is_not_made_again_and_what_was_used_last_stays():
    kept, made = Kept(10), []

    def get(key):
        def make():
            made.append(key)
            return key * 2

        return kept.get(key, make, lambda _: 4)

    assert [get("a"), get("b"), get("a")] == ["aa", "bb", "aa"]
    get("c")  # 12 bytes: b goes, which was used before a
    assert kept.size == 8
    get("a")
    get("b")
    assert made == ["a", "b", "c", "b"]


def test_a_value_larger_than_the_bound_is_given_and_not_kept():
    kept = Kept(10)
    assert kept.get("a", lambda: "x", lambda _: 11) == "x"
    assert kept.size == 0
    assert kept.get("a", lambda: "y", lambda _: 1) == "y"
