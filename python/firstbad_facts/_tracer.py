"""Tracing of calls and returns of definitions."""

from __future__ import annotations

import dis
import json
import sys
import threading
from types import CodeType, FrameType
from typing import Any

from firstbad_facts._definitions import Definition, Definitions
from firstbad_facts._summary import Summary
from firstbad_facts._values import attributes

#: How many calls of a definition are looked at: facts are about these.
MOST_CALLS = 10_000

#: The most variables that are looked at.
MOST_PLACES = 20_000

#: The most bytes of facts that are written; firstbad reads 16 MiB.
MOST_BYTES = 15 << 20

_RETURN = dis.opmap["RETURN_VALUE"]
_RESUME = dis.opmap.get("RESUME")

#: What the object of a method is called.
_OWN = ("self", "cls")


class Tracer:
    """Collects facts from the calls of definitions.

    Uses `sys.monitoring` from Python 3.12 on, and `sys.settrace` before, in all threads that start while it runs.

    Args:
        definitions: The definitions to trace.
    """

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._places: dict[tuple[str, str, str], Summary] = {}
        self._source: _Monitoring | _SetTrace | None = None

    def start(self) -> str | None:
        """Starts tracing. Returns the reason if tracing is not possible."""
        source = _Monitoring(self) if hasattr(sys, "monitoring") else _SetTrace(self)
        trouble = source.start()
        if trouble is None:
            self._source = source
        return trouble

    def stop(self) -> str | None:
        """Stops tracing. Returns the reason if calls were missed."""
        source, self._source = self._source, None
        return source.stop() if source is not None else None

    def definition(self, code: CodeType) -> Definition | None:
        """Returns the definition of a code object, if its calls are still traced."""
        found = self._definitions.of(code)
        return found if found is not None and found.calls < MOST_CALLS else None

    def enter(self, definition: Definition, frame: FrameType) -> None:
        """Handles a call."""
        definition.calls += 1
        code = frame.f_code
        variables = frame.f_locals
        for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
            if name in variables and name not in _OWN:
                self._see(definition, name, variables[name])

    def leave(self, definition: Definition, frame: FrameType, result: Any) -> None:
        """Handles a return."""
        self._see(definition, "return", result)
        code = frame.f_code
        own = code.co_varnames[0] if code.co_argcount else None
        if own in _OWN:
            for name, value in attributes(frame.f_locals.get(own)):
                self._see(definition, f"{own}.{name}", value)

    def _see(self, definition: Definition, variable: str, value: Any) -> None:
        place = (definition.file, definition.name, variable)
        summary = self._places.get(place)
        if summary is None:
            if len(self._places) >= MOST_PLACES:
                return
            summary = self._places.setdefault(place, Summary())
        summary.add(value)

    def packed(self) -> list[Any]:
        """Returns the summaries as lists of built-in values, for another process."""
        return [[*place, summary.packed()] for place, summary in self._places.items()]

    def merge(self, packed: list[Any]) -> None:
        """Adds the summaries of another process."""
        for file, name, variable, summary in packed:
            self._places.setdefault((file, name, variable), Summary()).merge(summary)

    def facts(self) -> list[dict[str, Any]]:
        """Returns the facts by file, name and variable."""
        return [
            {"file": file, "name": name, "variable": variable, "kind": kind, "values": values}
            for (file, name, variable), summary in sorted(self._places.items(), key=lambda item: item[0])
            for kind, values in summary.facts()
        ]

    def signals(self) -> str:
        """Returns the facts as JSON, up to the maximum number."""
        written = []
        left = MOST_BYTES
        for fact in self.facts():
            text = json.dumps(fact)
            left -= len(text) + 2
            if left < 0:
                break
            written.append(text)
        return '{"facts": [' + ",\n".join(written) + "]}\n"


class _SetTrace:
    """A tracer by `sys.settrace`, without events for lines."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._bytes: dict[int, tuple[CodeType, bytes]] = {}
        # Each access to a method creates another object.
        self._call_function = self._call

    def start(self) -> str | None:
        if sys.gettrace() is not None:
            return "another tracer is at work (a debugger, or a coverage tool): without it there are facts"
        threading.settrace(self._call_function)
        sys.settrace(self._call_function)
        return None

    def stop(self) -> str | None:
        is_ours = sys.gettrace() is self._call_function
        threading.settrace(None)
        if is_ours:
            sys.settrace(None)
            return None
        return "another tracer took over (a debugger, or a coverage tool): without it there are facts"

    def _call(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        definition = self._tracer.definition(frame.f_code)
        if definition is None:
            return None
        frame.f_trace_lines = False
        if self._begins(frame):
            self._tracer.enter(definition, frame)
        return self._local

    def _local(self, frame: FrameType, event: str, argument: Any) -> Any:
        # Exceptions and yields also arrive as returns.
        if event == "return" and self._code(frame)[frame.f_lasti] == _RETURN:
            definition = self._tracer.definition(frame.f_code)
            if definition is not None:
                self._tracer.leave(definition, frame, argument)
        return self._local

    def _begins(self, frame: FrameType) -> bool:
        """Returns whether a call starts, rather than a generator resumes."""
        place = frame.f_lasti
        if place < 0 or _RESUME is None:
            return place < 0
        code = self._code(frame)
        return code[place] == _RESUME and code[place + 1] == 0

    def _code(self, frame: FrameType) -> bytes:
        """Returns the instructions of a definition, cached because Python copies them."""
        code = frame.f_code
        known = self._bytes.get(id(code))
        if known is None:
            # The size is bounded by the number of definitions.
            known = self._bytes[id(code)] = (code, code.co_code)
        return known[1]


class _Monitoring:
    """A tracer by `sys.monitoring`, which disables events of other code."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        self._tool: int | None = None

    def start(self) -> str | None:
        monitoring = self._monitoring
        # 0 to 2 and 5 are for debuggers, coverage, profilers and optimizers.
        free = [tool for tool in (4, 3, 5, 2, 1, 0) if monitoring.get_tool(tool) is None]
        if not free:
            return "sys.monitoring has no number left for another tool"
        self._tool = free[0]
        events = monitoring.events
        monitoring.use_tool_id(self._tool, "firstbad")
        monitoring.register_callback(self._tool, events.PY_START, self._started)
        monitoring.register_callback(self._tool, events.PY_RETURN, self._returned)
        monitoring.set_events(self._tool, events.PY_START | events.PY_RETURN)
        # An earlier tool with this number may have disabled events.
        monitoring.restart_events()
        return None

    def stop(self) -> str | None:
        monitoring, tool = self._monitoring, self._tool
        if tool is None or monitoring.get_tool(tool) != "firstbad":
            return "another tool took the number in sys.monitoring"
        monitoring.set_events(tool, monitoring.events.NO_EVENTS)
        for event in (monitoring.events.PY_START, monitoring.events.PY_RETURN):
            monitoring.register_callback(tool, event, None)
        monitoring.free_tool_id(tool)
        return None

    def _started(self, code: CodeType, _offset: int) -> Any:
        definition = self._tracer.definition(code)
        if definition is None:
            return self._monitoring.DISABLE
        self._tracer.enter(definition, sys._getframe(1))
        return None

    def _returned(self, code: CodeType, _offset: int, result: Any) -> Any:
        definition = self._tracer.definition(code)
        if definition is None:
            return self._monitoring.DISABLE
        self._tracer.leave(definition, sys._getframe(1), result)
        return None
