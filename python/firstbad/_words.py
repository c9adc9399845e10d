"""Reports as text, with the same sentences in all front ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from firstbad import _native
from firstbad._arguments import checked_text
from firstbad._card import Card
from firstbad._errors import InvalidArgumentError
from firstbad._explanation import explanations
from firstbad._generated.reports import Explanation
from firstbad._shown import with_attributes
from firstbad._written import Written

if TYPE_CHECKING:
    import pandas
    import polars
    from typing_extensions import Self

__all__ = ["Annotations", "SearchReport", "Words"]

Annotations: TypeAlias = Literal["github", "gitlab"]
"""A service that shows annotations.

`github`: workflow commands of GitHub Actions, one on each line. `gitlab`: a Code Quality report, a JSON array for an
artifact. Entries without a location use line 1 of `"."`.
"""


class Words(Card, Written):
    """A report that can be printed. Names of commits, tests and branches are escaped."""

    __slots__ = ()

    _algorithm: ClassVar[str]
    """The name of the search in the core."""
    _text: str
    """The report as the core wrote it."""
    _search: _native.Search | None = None
    """The search, or None after the report was copied, pickled or written."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__doc__ = with_attributes(cls)

    @classmethod
    def _written(cls, text: str, **more: Any) -> Self:
        """Returns the report in a JSON object that the core wrote, with additional fields."""
        fields = {**cls._fields(json.loads(_native.spelled(text))), **more, "_text": text}
        return cls(**fields)

    def _of(self, search: _native.Search | None) -> Self:
        """Attaches the search to the report, and returns the report."""
        object.__setattr__(self, "_search", search)
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_search", "_source")}

    @classmethod
    def _read(cls, text: str) -> str:
        """Checks a report in JSON, and returns it as the core writes it.

        Raises:
            InvalidArgumentError: If the text is not a report of this kind.
        """
        return _native.read_report(cls._algorithm, checked_text("text", text))

    def _card(self) -> str:
        # A report that was created by hand has no card.
        return _native.card(self._algorithm, self._text, self._search) if self._text else ""

    def _known(self) -> dict[str, Any]:
        """Returns the facts that are not in the text of the core."""
        return {}

    def explain(self) -> list[Explanation]:
        """Returns why the search tested each revision, and which suspects each outcome ruled out.

        See `Search.explain`.

        Raises:
            InvalidArgumentError: If the report was created by hand, read, copied or pickled, and so has no search. Use
                `search.explain()` of a restored search or a `Session` instead.
        """
        if self._search is None:
            raise InvalidArgumentError(
                "report: a report without its search (read, copied, pickled, or created by hand) is not valid here; "
                "expected a report of a search in this process\nhelp: use search.explain()"
            )
        seen: tuple[object, ...] = getattr(self, "observations", ())
        return explanations(self._search)[: len(seen)]

    def to_text(self) -> str:
        """Returns the report as plain text, as `firstbad report` and `str(report)` do."""
        return self._in_form("text")

    def to_markdown(self) -> str:
        """Returns the report as Markdown, for a comment on a pull request or a job summary."""
        return self._in_form("markdown")

    def to_json(self) -> str:
        """Returns the report as JSON, as `firstbad report --json` prints it (docs/schema/report.json)."""
        return self._in_form("json")

    def to_annotations(self, service: Annotations = "github") -> str:
        """Returns the report as annotations.

        Args:
            service: `"github"`: workflow commands of GitHub Actions, to print. `"gitlab"`: a Code Quality report, to
                write to a file.

        Raises:
            InvalidArgumentError: If the service is unknown.
        """
        if service not in ("github", "gitlab"):
            raise InvalidArgumentError(f"service: {service!r} is not valid; expected 'github' or 'gitlab'")
        return self._in_form(service)

    def to_rows(self) -> list[dict[str, Any]]:
        """Returns a table with one row for each outcome, in the order told.

        The columns are the same for every search: `run` (the number of the run, from 1, or None without a run),
        `revision`, `subject` (of the commit, if the report has it), `changes` (the set in short, as `"0-3,7"`),
        `outcome`, `seconds`, `signature`, `stage`, `passes`, `fails`, `metric`, `memory` (bytes), `cost`, `started`,
        `ended`, `note`, `output`, and `probe`. Missing values are None.
        """
        rows: list[dict[str, Any]] = json.loads(self._in_form("rows"))
        return rows

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the rows of `to_rows` as a pandas `DataFrame`, without empty columns.

        Only this method imports pandas.

        Raises:
            ImportError: If pandas is not installed.
        """
        import pandas

        return pandas.DataFrame(self._filled_rows())

    def to_polars(self) -> polars.DataFrame:
        """Returns the rows of `to_rows` as a Polars `DataFrame`, without empty columns.

        Only this method imports Polars.

        Raises:
            ImportError: If Polars is not installed.
        """
        import polars

        return polars.DataFrame(self._filled_rows(), infer_schema_length=None)

    def _filled_rows(self) -> list[dict[str, Any]]:
        """Returns the rows without empty columns."""
        rows = self.to_rows()
        filled = [name for name in (rows[0] if rows else ()) if any(row[name] is not None for row in rows)]
        return [{name: row[name] for name in filled} for row in rows]

    def _in_form(self, form: str) -> str:
        if not self._text:
            raise InvalidArgumentError(
                "report: a report created by hand is not valid here; expected a report of a search or of from_json"
            )
        return _native.in_form(self._algorithm, self._text, json.dumps(self._known()), form)

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")


class SearchReport(Words):
    """A report that its JSON form contains in full."""

    __slots__ = ()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Reads a report from JSON, written by `to_json` of any front end or by the command line with `--json`.

        Raises:
            InvalidArgumentError: If the text is not a report of this kind.
        """
        return cls._written(cls._read(text))
