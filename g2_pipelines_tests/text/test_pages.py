"""Pages: values are escaped, turned by no control character, and never undefined."""

from __future__ import annotations

import jinja2
import pytest
from markupsafe import Markup

from g2_pipelines.text.pages import page_templates


def page(template: str, **values: object) -> str:
    return page_templates(jinja2.DictLoader({"page": template})).get_template("page").render(values)


def test_a_value_is_escaped_and_loses_what_turns_the_reading_direction() -> None:
    assert page("<p>{{ text }}</p>", text="a\u202e<b>\u2066é\x07") == "<p>a&lt;b&gt;é</p>"


def test_markup_of_ours_stays_markup_and_numbers_stay_numbers() -> None:
    assert page("{{ mark }}{{ number }}", mark=Markup("<b>x\u202e</b>"), number=12) == "<b>x</b>12"


def test_json_in_a_page_keeps_no_turning_character() -> None:
    assert "\u202e" not in page("{{ data | tojson }}", data={"text": "a\u202eb</script>"})


def test_an_undefined_value_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        page("{{ missing }}")
