"""Which preset an endpoint gets: the form that it has is not overwritten by another one unasked."""

from __future__ import annotations

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import EndpointError
from hutch_lineage.mapping import preset_of
from hutch_lineage.session import current_session
from tests.openlineage.events import operator
from tests.receivers import Receiver, unused_port


def in_force(emitter):
    """The preset that is written now."""
    return emitter.stats()["backend"]


def test_who_goes_back_to_an_endpoint_means_the_form_that_it_has(emitter):
    """Memory and live again, without a name: nothing is sent anew in another form."""
    with Receiver() as receiver:
        toggle = emitter()
        toggle.go_live(receiver.url, backend="marquez")
        toggle.emit(operator(1))
        assert toggle.flush(20)
        toggle.go_memory()
        toggle.emit(operator(2))
        toggle.go_live(f"{receiver.url}/")
        assert in_force(toggle) == "marquez"
        assert toggle.flush(20)
        assert [each["eventType"] for each in receiver.events] == ["COMPLETE", "COMPLETE"]


@pytest.mark.parametrize("backend", ["datahub", "openmetadata"])
def test_an_endpoint_is_known_by_each_of_its_spellings(emitter, backend):
    """With the preset's own path or without it, it is the same one."""
    url = f"http://127.0.0.1:{unused_port()}"
    toggle = emitter()
    toggle.go_live(url, backend=backend)
    for spelling in (toggle.endpoint, f"{url}/"):
        toggle.go_memory()
        toggle.go_live(spelling)
        assert in_force(toggle) == backend
    toggle.go_live(f"http://127.0.0.1:{unused_port()}")
    assert in_force(toggle) == "generic"


def test_overrides_are_remembered_with_the_preset(emitter):
    """They are what the backend was written with; others may be named without the preset."""
    url = f"http://127.0.0.1:{unused_port()}"
    toggle = emitter()
    toggle.go_live(url, backend="marquez", overrides={"facets": ["parent"]})
    toggle.go_memory()
    toggle.go_live(url)
    assert toggle._live.preset == preset_of("marquez", {"facets": ["parent"]})
    toggle.go_live(url, overrides={"lifecycle": "start+complete"})
    assert toggle._live.preset.facets == ("parent",)


def test_generic_is_in_force_again_where_it_is_named(emitter):
    """And then it is what is remembered."""
    url = f"http://127.0.0.1:{unused_port()}"
    toggle = emitter(backend="datahub")
    toggle.go_live(url)
    assert in_force(toggle) == "datahub"
    for backend in ("generic", None):
        toggle.go_live(url, backend=backend)
        assert in_force(toggle) == "generic"


def test_auto_keeps_to_the_form_an_endpoint_has_while_nobody_answers(emitter, caplog):
    """A Marquez that is down for a moment gets no second form when it is back."""
    url = f"http://127.0.0.1:{unused_port()}"
    toggle = emitter()
    toggle.go_live(url, backend="marquez")
    toggle.go_live(url, backend="auto")
    assert in_force(toggle) == "marquez"
    assert "as before, for marquez" in caplog.text


def test_auto_is_asked_again_where_nobody_answered(emitter, caplog):
    """What nobody chose is not remembered."""
    url = f"http://127.0.0.1:{unused_port()}"
    toggle = emitter(backend="auto")
    for count in (1, 2):
        toggle.go_live(url)
        assert in_force(toggle) == "generic"
        assert caplog.text.count("the backend preset is auto") == count


def test_what_cannot_be_gone_to_is_not_remembered(emitter):
    """A path that is none leaves all as it was."""
    url = f"http://127.0.0.1:{unused_port()}"
    toggle = emitter()
    with pytest.raises(EndpointError):
        toggle.go_live(url, backend="marquez", path="/a b")
    toggle.go_live(url)
    assert in_force(toggle) == "generic"


def test_what_is_configured_serves_an_endpoint_that_had_none():
    """And what is named for an endpoint stays its own, also when the settings' cell runs again."""
    url, other = (f"http://127.0.0.1:{unused_port()}" for _ in range(2))
    session = current_session()
    session.go_live(url, backend="marquez")
    hl.configure(hl.SDKConfig(openlineage_endpoint=url))
    assert session.status()["backend"] == "marquez"
    hl.configure(hl.SDKConfig(openlineage_endpoint=url, openlineage_backend="datadog"))
    assert session.status()["backend"] == "datadog"
    session.go_live(other)
    assert session.status()["backend"] == "datadog"
    hl.configure(hl.SDKConfig(openlineage_endpoint="in-memory"))
    session.go_live(url)
    assert session.status()["backend"] == "datadog"
