"""One post, over a real socket."""

from __future__ import annotations

import gc
import os
import signal
import threading

import pytest

from hutch_lineage.delivery import Credentials, HttpOptions
from hutch_lineage.delivery.http_sender import USER_AGENT, HttpSender
from hutch_lineage.mapping import parse_endpoint
from tests.receivers import Answer, Receiver, unused_port


def send(url, credentials=None, times=1, timeout_s=5.0):
    """Post ``{}`` and return the last reply."""
    sender = HttpSender(parse_endpoint(url), credentials, HttpOptions(timeout_s=timeout_s))
    replies = [sender.send(b"{}") for _ in range(times)]
    sender.close()
    return replies[-1]


def test_a_post_says_who_sends_what():
    """A request is JSON by POST to the lineage path, with our User-Agent and no login."""
    with Receiver() as receiver:
        reply = send(receiver.url)
    request = receiver.requests[0]
    assert reply.verdict == "accepted"
    assert (request.method, request.path, request.body) == ("POST", "/api/v1/lineage", b"{}")
    assert request.headers["Content-Type"] == "application/json"
    assert request.headers["User-Agent"] == USER_AGENT
    assert "Authorization" not in request.headers


def test_key_headers_and_user_are_sent():
    """A key is a bearer token, headers go along, user info is basic authentication."""
    with Receiver() as receiver:
        send(receiver.url, Credentials("hush", {"X-Team": "a"}))
        send(receiver.url.replace("//", "//me:pw@"))
    first, second = receiver.requests
    assert (first.headers["Authorization"], first.headers["X-Team"]) == ("Bearer hush", "a")
    assert second.headers["Authorization"] == "Basic bWU6cHc="


def test_a_login_of_netrc_does_not_replace_the_key(tmp_path, monkeypatch):
    """A ~/.netrc entry for the host changes nothing."""
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login other password other\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with Receiver() as receiver:
        send(receiver.url, Credentials("hush"))
        send(receiver.url)
    assert [request.headers.get("Authorization") for request in receiver.requests] == [
        "Bearer hush",
        None,
    ]


def test_the_connection_is_kept():
    """Several posts use one connection."""
    with Receiver() as receiver:
        send(receiver.url, times=5)
        assert (len(receiver.requests), receiver.connections) == (5, 1)


def test_a_kept_connection_that_was_closed_is_opened_again():
    """A backend that drops an idle connection causes no failure."""
    with Receiver(201, "reset") as receiver:
        assert send(receiver.url, times=2).verdict == "accepted"


def child_posts(sender):
    """Fork; return whether the child, having let go of the connection, posts by itself."""
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(5)
        sender.forget()
        gc.collect()  # this is when a pool closes its connections
        os._exit(0 if sender.send(b"{}").verdict == "accepted" else 1)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_in_the_middle_of_a_post_does_not_lock_up_the_child():
    """While another thread waits for an answer, the child lets go and posts by itself."""
    with Receiver(201, Answer(201, delay_s=0.5), then=201) as receiver:
        sender = HttpSender(parse_endpoint(receiver.url))
        sender.send(b"{}")
        busy = threading.Thread(target=sender.send, args=(b"{}",))
        busy.start()
        receiver.wait_for_requests(2)
        assert child_posts(sender)
        busy.join()
        assert sender.send(b"{}").verdict == "accepted"
        assert receiver.connections == 2
        sender.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_nor_does_one_that_goes_through_a_proxy(monkeypatch):
    """Whatever locks of the pool another thread of the parent holds."""
    with Receiver() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        sender = HttpSender(parse_endpoint("http://backend.test"))
        sender.send(b"{}")
        (wire,) = sender._wires.values()
        pools = wire._way._manager.pools
        (pool,) = [pools[key] for key in pools.keys()]  # noqa: SIM118 - no mapping
        held, over = threading.Event(), threading.Event()

        def hold():
            with pools.lock, pool.pool.mutex:
                held.set()
                over.wait(20)

        other = threading.Thread(target=hold)
        other.start()
        held.wait(20)
        assert child_posts(sender)
        over.set()
        other.join()
        assert sender.send(b"{}").verdict == "accepted"
        assert proxy.connections == 2
        sender.close()


@pytest.mark.parametrize("status", [307, 308])
def test_a_redirect_is_followed_with_the_body(status):
    """D17: 307 and 308 lead to the new place with method and body."""
    with Receiver() as target:
        place = Answer(status, {"Location": f"{target.url}/elsewhere?x=1"})
        with Receiver(place) as receiver:
            reply = send(receiver.url, Credentials("hush", {"X-Key": "hush"}))
    arrived = target.requests[0]
    assert reply.verdict == "accepted"
    assert (arrived.method, arrived.path, arrived.body) == ("POST", "/elsewhere?x=1", b"{}")
    assert "hush" not in str(arrived.headers)


def test_a_redirect_on_the_same_host_keeps_the_key():
    """Credentials go along to the host that they were given for."""
    with Receiver(Answer(307, {"Location": "/elsewhere"})) as receiver:
        send(receiver.url, Credentials("hush"))
    assert [request.headers["Authorization"] for request in receiver.requests] == [
        "Bearer hush"
    ] * 2


def test_other_redirects_and_circles_are_told():
    """A redirect that drops the body is not followed; one without end stops."""
    with Receiver(Answer(302, {"Location": "http://h/?key=hush"})) as receiver:
        moved = send(receiver.url)
    with Receiver(then=Answer(307, {"Location": "/api/v1/lineage"})) as receiver:
        circle = send(receiver.url)
    assert moved.reason == "302 Found: it points to http://h/?key=***, use that address"
    assert (moved.verdict, circle.verdict) == ("retry", "retry")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(422, body=b'{"message": "bad\n runId hush"}'),
         '422 Unprocessable Entity: {"message": "bad runId ***"}'),
        (503, "503 Service Unavailable"),
        (Answer(503, body=b"hush, later", withheld=9), "503 Service Unavailable: ***, later"),
        ("hang", "no answer within 0.2 s"),
        ("close", "the connection was closed without an answer"),
        ("reset", "Connection reset by peer"),
    ],
)  # fmt: skip
def test_failures_are_told_in_few_words_without_secrets(answer, reason):
    """The reason of a failure is short and holds neither key nor query."""
    with Receiver(then=answer) as receiver:
        reply = send(receiver.url + "?key=hush", Credentials("hush"), timeout_s=0.2)
    assert reply.reason == reason


@pytest.mark.parametrize("answer", [Answer(201, body=b"x" * 5_000_000), Answer(201, withheld=9)])
def test_the_status_counts_and_not_the_body(answer):
    """An accepted event stays accepted, however long the body is and whether it ever ends."""
    with Receiver(answer) as receiver:
        reply = send(receiver.url, times=2, timeout_s=0.2)
        assert (reply.verdict, len(receiver.requests)) == ("accepted", 2)


def test_the_http_library_logs_no_query(caplog):
    """Nor do the debug lines of the library below hold what a URL's query says."""
    caplog.set_level("DEBUG")
    with Receiver(201, 503) as receiver:
        send(f"{receiver.url}/?key=hush", times=2)
    assert "hush" not in caplog.text


def test_nobody_there_is_told():
    """A refused connection and a host without address are reasons, not exceptions."""
    refused = send(f"http://127.0.0.1:{unused_port()}/?key=hush")
    assert (refused.verdict, refused.status, refused.reason) == (
        "retry",
        None,
        "Connection refused",
    )
