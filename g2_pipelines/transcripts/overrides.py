"""Roles that a person knows better than any lexicon, per company.

Here: reading the YAML file. How a rule meets a label stands in ``roles``. ``defs`` and ``cli``
may import this module.

```yaml
"*":                 # every company
  広報担当: answer
E99001:
  三枝: answer        # a name
  副委員長: moderator  # a title, also at the end of a label
```
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, cast, get_args

from g2_pipelines.errors import InputError
from g2_pipelines.tables.line1 import Role
from g2_pipelines.yaml_files import YamlFault, read_yaml

EVERYBODY = "*"


class BadRolesError(InputError):
    """The roles file is not what it should be."""

    code: ClassVar[str] = "bad_roles"


def read_overrides(content: bytes, name: str) -> dict[str, dict[str, Role]]:
    """Company code (or ``*``) to label, name or title to role.

    Raises:
        BadRolesError: Not YAML, another shape, or a role that there is not; names the place.
    """
    remedy = f"Write company: {{name or title: role}}; roles are {', '.join(get_args(Role))}"
    try:
        data = read_yaml(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadRolesError(
            "The roles file is no YAML in UTF-8", file=name, place=str(error)[:120], remedy=remedy
        ) from error
    except YamlFault as fault:
        raise BadRolesError(
            f"The roles file {fault.message}", file=name, place=fault.place, remedy=remedy
        ) from fault
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise BadRolesError("The roles file is no mapping", file=name, remedy=remedy)
    found: dict[str, dict[str, Role]] = {}
    for company, rules in data.items():
        if not isinstance(rules, dict):
            raise BadRolesError(
                "A company's roles are no mapping",
                file=name,
                place=str(company)[:200],
                remedy=remedy,
            )
        for key, role in rules.items():
            if role not in get_args(Role):
                raise BadRolesError(
                    f"There is no role {str(role)[:80]!r}",
                    file=name,
                    place=f"{company}: {key}"[:200],
                    remedy=remedy,
                )
            found.setdefault(str(company), {})[str(key)] = cast("Role", role)
    return found


def overrides_of(overrides: Mapping[str, Mapping[str, Role]], company: str) -> dict[str, Role]:
    """The rules for ``company``; its own go before those for every company."""
    return {**overrides.get(EVERYBODY, {}), **overrides.get(company, {})}
