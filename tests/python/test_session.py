"""Sessions: journals, leases, undo, known outcomes, replay."""

import json
import subprocess
import sys
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from porting_reads import outcome_of, patch, porter

import firstbad as fb
from firstbad._digest import digest

VERSIONS = [str(number) for number in range(64)]


def make(**options):
    options = {"bad": "63", "good": "0", "search": "binary", **options}
    return fb.RegressionSearch(fb.CommitGraph.linear(VERSIONS), **options)


def good(version):
    return int(version) < 40


def resealed(text):
    """Returns a changed journal with new checksums."""
    sealed = []
    for number, line in enumerate(text.splitlines(), 1):
        body = line[: line.rindex(',"crc":"')]
        crc = zlib.crc32(number.to_bytes(8, "little") + body.encode())
        sealed.append(f'{body},"crc":"{crc:08x}"}}\n')
    return "".join(sealed)


def lines(path):
    """Returns the lines of a journal without their checksums."""
    read = [json.loads(line) for line in path.read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "crc"} for line in read]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


def test_every_event_is_written_before_its_call_returns(path):
    session = fb.Session.open(path, make())
    header, *events = lines(path)
    assert (header["id"], header["algorithm"], events) == (session.id, "regression", [])
    assert (session.path, session.resumed, session.recovered) == (path.resolve(), False, None)
    while not session.done:
        [probe] = session.ask()
        assert lines(path)[-1]["event"] == "asked"
        session.tell(probe.id, good(probe.revision))
        assert lines(path)[-1]["event"] == "told"
    assert [{**event, "at": 0} for event in lines(path)[1:]] == [{**event, "at": 0} for event in session.events]
    assert session.report() == fb.run(make(), good)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_run_is_resumed(path, jobs):
    session = fb.Session.open(path, make())
    first, second = session.ask(2)
    session.tell(first.id, good(first.revision))
    del session  # or the process is killed
    asked = []

    def oracle(version):
        asked.append(version)
        return good(version)

    with fb.Session.open(path, make()) as session:
        assert (session.resumed, session.in_flight, session.runs) == (True, [second], 1)
        report = fb.run(session, oracle, jobs=jobs)
    assert [(point.good, point.bad) for point in report.points] == [("39", "40")]
    assert first.revision not in asked
    assert asked.count(second.revision) <= 1, "what was in flight is run, unless nobody wants it any more"


def test_the_search_and_the_session_are_one(path):
    search = make()
    session = fb.Session.open(path, search)
    [probe] = search.ask()
    session.tell(probe.id, good(probe.revision))
    assert search.runs == session.runs == 1
    assert [event["event"] for event in lines(path)[1:]] == ["asked", "told"]
    assert "run.jsonl" in repr(session)
    assert session.snapshot() == search.snapshot()


def test_times_are_recorded_if_the_search_uses_them(path):
    search = fb.CulpritVerifier(fb.CommitGraph.linear(VERSIONS), bad="63", good="0", culprit="40")
    with fb.Session.open(path, search) as session:
        report = fb.run(session, good)
    assert report.correct
    assert all(seen.started is not None for seen in report.observations)


def test_a_started_search_can_be_saved(path):
    search = make()
    [probe] = search.ask()
    search.tell(probe.id, good(probe.revision))
    fb.Session.open(path, search).close()
    assert fb.Session.open(path, make()).runs == 1


def test_an_error_does_not_end_the_next_run(path):
    with fb.Session.open(path, make()) as session:
        assert fb.run(session, good, budget=2).status == "budget"
    with fb.Session.open(path, make()) as session:
        assert session.status == "running"
        assert fb.run(session, good, budget=4).runs == 4
    with fb.Session.open(path, make()) as session:
        session.stop()
        assert session.done
    with fb.Session.open(path, make()) as session:
        assert fb.run(session, good).status == "found"


def test_a_closed_session_is_read_only(path):
    with fb.Session.open(path, make()) as session:
        [probe] = session.ask()
    assert (session.in_flight, session.report().status) == ([probe], "running")
    for call in (session.ask, lambda: session.tell(0, True), session.stop, lambda: session.enqueue("7")):
        with pytest.raises(fb.JournalError, match="it is closed"):
            call()
    session.close()
    with pytest.raises(fb.JournalError, match="closed"):
        fb.run(session, good)


def test_other_searches_are_rejected_with_the_difference(path):
    fb.Session.open(path, make()).close()
    others = {
        'Its algorithm is "regression", not "minimize"': fb.Minimizer("abc"),
        "Its check_parents is true, not false": make(check_parents=False),
        "Its history differs: .*revision": fb.RegressionSearch(
            {"a": [], "63": ["a"], "0": []}, bad="63", good="0", search="binary"
        ),
    }
    for words, other in others.items():
        with pytest.raises(fb.JournalError, match="belongs to another search") as caught:
            fb.Session.open(path, other)
        assert caught.value.code == "journal"
        assert words.split(":")[0] in str(caught.value)
    items = path.with_name("items.jsonl")
    fb.Session.open(items, fb.Minimizer("abc")).close()
    with pytest.raises(fb.JournalError, match="It has other items of the same number"):
        fb.Session.open(items, fb.Minimizer("abd"))
    fb.Session.open(items, fb.Minimizer("abc")).close()


def test_invalid_arguments_are_errors(path, tmp_path):
    fb.Session.open(path, make()).close()
    begun = make()
    begun.ask()
    session = fb.Session.open(tmp_path / "other.jsonl", make())
    cases = [
        (fb.JournalError, "its folder does not exist", lambda: fb.Session.open(tmp_path / "no" / "run.jsonl", make())),
        (fb.JournalError, "both the journal and the search have events", lambda: reopened(begun)),
        (fb.JournalError, "the search already has a journal: ", lambda: fb.Session.open(path, session)),
        (fb.JournalError, "it is not a journal", lambda: fb.Session.open(text, make())),
        (fb.InvalidArgumentError, r"path: 3 \(int\)", lambda: fb.Session.open(3, make())),
        (fb.InvalidArgumentError, "search: 'main'", lambda: fb.Session.open(path, "main")),
        (fb.InvalidArgumentError, "wait: -1", lambda: fb.Session.open(path, make(), wait=-1)),
        (fb.InvalidArgumentError, "wait: NaN", lambda: fb.Session.open(path, make(), wait=float("nan"))),
        (fb.InvalidArgumentError, "known: 'abc'", lambda: fb.Session.open(path, make(), known="abc")),
        (fb.InvalidArgumentError, r"known\[1\]: '2'", lambda: fb.Session.open(path, make(), known=[("1", True), "2"])),
        (fb.InvalidArgumentError, "outcome: 'maybe'", lambda: fb.Session.open(path, make(), known={"1": "maybe"})),
        (fb.UnknownRevisionError, "unknown revision", lambda: fb.Session.open(path, make(), known={"1.0": True})),
        (fb.InvalidArgumentError, "lease: 0", lambda: session.ask(lease=0)),
        (fb.InvalidArgumentError, "lease: -2", lambda: session.ask(lease=-2)),
        (fb.InvalidArgumentError, "lease: NaN", lambda: session.ask(lease=float("nan"))),
        (fb.InvalidArgumentError, "k: 0", lambda: session.ask(0)),
    ]
    text = tmp_path / "text"
    text.write_text("no journal\n")

    def reopened(search):
        with fb.Session.open(path, make()) as other:
            other.ask()
        return fb.Session.open(path, search)

    for error, words, call in cases:
        with pytest.raises(error, match=words):
            call()
    assert text.read_text() == "no journal\n"
    search = make()
    with pytest.raises(fb.UnknownRevisionError, match="known: unknown revision"):
        fb.Session.open(path, search, known={"1": True, "1.0": True})
    assert search.events == [{"event": "asked", "id": 0, "revision": "63"}], "all are looked up before any is told"
    fb.Session.open(path, make()).close()  # none of them kept it locked


HOLDER = """
import sys
import firstbad as fb
search = fb.RegressionSearch(fb.CommitGraph.linear([str(n) for n in range(64)]), bad="63", good="0", search="binary")
session = fb.Session.open(sys.argv[1], search)
print("held", flush=True)
sys.stdin.readline()
session.close()
"""


def test_one_process_writes_at_a_time(path):
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        for wait in (0.0, 0.1):
            with pytest.raises(fb.JournalError, match=f"in use by process {holder.pid} ") as caught:
                fb.Session.open(path, make(), wait=wait)
            assert caught.value.code == "journal_locked"
        holder.stdin.write("\n")
        holder.stdin.flush()
        session = fb.Session.open(path, make(), wait=30)
        with pytest.raises(fb.JournalError, match="another session of this process"):
            fb.Session.open(path, make())
        session.close()


def test_a_torn_last_line_is_dropped_and_reported(path):
    with fb.Session.open(path, make()) as session:
        [probe] = session.ask()
        session.tell(probe.id, good(probe.revision))
    path.write_bytes(path.read_bytes()[:-5])
    with fb.Session.open(path, make()) as session:
        assert "the last line was incomplete and was dropped" in session.recovered
        assert (session.runs, session.in_flight) == (0, [probe])
    with fb.Session.open(path, make()) as session:
        assert session.recovered is None


def test_damage_is_an_error_with_its_line_and_older_journals_give_a_note(path):
    with fb.Session.open(path, make()) as session:
        for _ in range(3):
            [probe] = session.ask()
            session.tell(probe.id, good(probe.revision))
    whole = path.read_text().splitlines(keepends=True)
    for damaged in ([*whole[:3], *whole[4:]], [*whole[:3], whole[3].replace('"id":1', '"id":0', 1), *whole[4:]]):
        path.write_text("".join(damaged))
        with pytest.raises(fb.JournalError, match="line 4 cannot be read: its checksum does not match"):
            fb.Session.open(path, make())
    older = "".join(line[: line.rindex(',"crc"')] + "}\n" for line in whole)
    path.write_text(older.replace('{"journal":2', '{"journal":1', 1))
    with fb.Session.open(path, make()) as session:
        assert session.runs == 3
        assert "no checksums" in session.recovered


def test_write_errors_lose_no_outcome_and_hide_no_error(path):
    def oracle(version):
        path.unlink()
        raise ZeroDivisionError

    session = fb.Session.open(path, make())
    with pytest.raises(ZeroDivisionError):
        fb.run(session, oracle)
    with pytest.raises(fb.JournalError, match="the file was removed"):
        session.ask()
    assert session.report().status == "running"


def test_probes_with_ended_leases_are_returned_again(path):
    session = fb.Session.open(path, make())
    [lent] = session.ask(lease=3600)
    [kept] = session.ask()
    assert lines(path)[-2]["until"] > lines(path)[-2]["at"] + 3500
    session.close()
    # After an hour, the lease has ended, and the probe is given to another caller.
    text = path.read_text().replace(str(lines(path)[1]["until"]), "1.5")
    path.write_text(resealed(text))
    session = fb.Session.open(path, make())
    assert session.in_flight == [lent, kept]
    [again] = session.ask()
    assert again.revision == lent.revision
    assert again.id > kept.id
    session.tell(lent.id, good(lent.revision))  # a late answer still counts
    assert not session.wanted(again.id)
    assert session.runs == 1


def test_known_outcomes_cost_no_run_and_are_told_once(path):
    report = fb.run(make(), good)
    for known in (
        {seen.revision: seen.outcome for seen in report.observations},
        [(seen.revision, seen) for seen in report.observations],
        report.observations,
        (one for one in report.observations),
    ):
        with fb.Session.open(path, make(), known=known) as session:
            assert session.done
            assert session.runs == 0
        events = len(lines(path))
        fb.Session.open(path, make(), known=report.observations).close()
        assert len(lines(path)) == events
        path.unlink()
    # For a flaky test, each run counts.
    graph = fb.CommitGraph.linear(VERSIONS)
    for _ in range(2):
        search = fb.CulpritSearch(graph, bad="63", flake_rate=0.1)
        with fb.Session.open(path, search, known=[("30", False), ("30", False), ("20", True)]) as session:
            assert [event["event"] for event in session.events] == ["observed"] * 3
    with pytest.raises(fb.ContradictionError):
        fb.Session.open(path.with_name("b"), make(), known=[("30", True), ("30", False)])


def test_known_sets_of_items(path):
    known = fb.minimize("abcd", lambda kept: "c" in kept)
    with fb.Session.open(path, fb.Minimizer("abcd"), known=known.observations) as session:
        assert session.report().items == ["c"]
        assert session.runs == 0
    search = fb.Minimizer("abcd")
    with fb.Session.open(path.with_name("b"), search, known={(0, 1, 2, 3): True, (2,): True}) as session:
        assert session.report().items == ["c"]
        with pytest.raises(fb.InvalidArgumentError, match="indices"):
            session.observe([9], True)


def test_a_run_is_replayed(path):
    with fb.Session.open(path, make()) as session:
        report = fb.run(session, good)
        session.undo(1)
        steps = list(session.replay())
        assert session.runs == report.runs - 1
    assert [step.event for step in steps] == session.events
    assert [step.at for step in steps] == sorted(step.at for step in steps)
    assert (steps[0].runs, steps[0].status, steps[-2].status) == (0, "running", "found")
    assert steps[-2].report == report
    assert steps[0].report.observations == ()  # also an earlier one after a later one
    assert steps[3].report.runs == steps[3].runs == 2
    assert "asked" in repr(steps[0])


def test_items_without_a_common_json_form_have_no_digest(path):
    for items in (
        [object()],
        [float("nan")],
        [{1, 2}],
        [{"a": [{True: 1}]}],
        [2**53],
        ["a", "\ud800"],
        ["a", ["\ud800"]],
        [{1: 2}],
    ):
        assert digest(items) is None
    assert digest(["ab"]) != digest(["a", "b"]) != digest([b"a", b"b"])
    for _ in range(2):
        fb.Session.open(path, fb.Minimizer([object()])).close()


class Uninterrupted:
    """A search in memory with the same calls, which ends leases explicitly."""

    def __init__(self, search):
        self.search = search
        self.ended = []

    def ask(self, k, lease):
        for id in sorted(self.ended):
            self.search.abandon(id)
        probes = self.search.ask(k)
        self.ended = [probe.id for probe in probes] if lease == 1e-9 else []
        return probes


KINDS = {
    "regression": lambda: make(),
    "latest": lambda: make(search="auto", prefer="latest"),
    "culprit": lambda: fb.CulpritSearch(fb.CommitGraph.linear(VERSIONS), bad="63", good="0", flake_rate=0.2),
    "verification": lambda: fb.CulpritVerifier(fb.CommitGraph.linear(VERSIONS), bad="63", good="0", culprit="40"),
    "minimize": lambda: fb.Minimizer(range(24)),
    "isolate": lambda: fb.Isolator(range(24), confidence=0.9),
}


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.sampled_from(sorted(KINDS)), st.data())
def test_reopening_a_journal_changes_nothing(tmp_path_factory, kind, data):
    path = tmp_path_factory.mktemp("journal") / "run.jsonl"
    plain = Uninterrupted(KINDS[kind]())
    session = fb.Session.open(path, KINDS[kind]())
    broken = data.draw(st.integers(1, 62), "broken from")
    needed = data.draw(st.sets(st.integers(0, 23), min_size=1, max_size=3), "needed")

    def answer(probe):
        if probe.changes is not None:
            return needed <= set(probe.changes)
        return int(probe.revision) < broken

    out = []
    for _ in range(data.draw(st.integers(1, 40), "steps")):
        step = data.draw(st.sampled_from(["ask", "ask", "tell", "tell", "tell", "abandon", "lend", "undo", "open"]))
        if step in ("ask", "lend"):
            k = data.draw(st.integers(1, 3))
            lease = data.draw(st.sampled_from([3600.0, 1e-9])) if step == "lend" else None
            probes = session.ask(k, lease)
            assert probes == plain.ask(k, lease)
            out += probes
        elif step in ("tell", "abandon") and out:
            probe = out.pop(data.draw(st.integers(0, len(out) - 1)))
            for search in (session, plain.search):
                if step == "tell":
                    search.tell(probe.id, answer(probe))
                else:
                    search.abandon(probe.id)
            plain.ended = [id for id in plain.ended if id != probe.id]
        elif step == "undo":
            # Observed outcomes also count as outcomes, but this search has none.
            n = data.draw(st.integers(0, min(3, len(session.report().observations))))
            session.undo(n)
            plain.search.undo(n)
        elif step == "open":
            session.close()
            session = fb.Session.open(path, KINDS[kind]())
        assert session.in_flight == plain.search.in_flight
        assert session.status == plain.search.status
    assert session.events == plain.search.events
    assert session.report() == plain.search.report()
    session.close()


def test_a_search_with_reads_resumes_after_every_event(path):
    plain = porter()
    fb.run(plain, outcome_of, reader=patch)
    steps, over = 0, False
    while not over:
        with fb.Session.open(path, porter()) as session:
            if session.reads:
                request = session.reads[0]
                session.give(request["id"], patch(request))
            elif session.in_flight:
                probe = session.in_flight[0]
                session.tell(probe.id, outcome_of(probe))
            else:
                over = not session.ask()
            assert len(session.events) == steps + (not over)
            steps += not over
    with fb.Session.open(path, porter()) as session:
        assert session.report() == plain.report()
        kinds = [event["event"] for event in session.events]
        assert kinds.count("read") == 2
        assert [step.event["event"] for step in session.replay()] == kinds
        assert (session.asked, session.runs) == (plain.asked, plain.runs)
        assert session.runs < session.asked
    assert len(list(path.with_name("run.jsonl.reads").iterdir())) == 2
    assert "content" not in path.read_text()
