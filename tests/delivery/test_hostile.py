"""Backends that mean no good: no answer holds anybody up, fills the memory or gets the key."""

from __future__ import annotations

import contextlib
import gzip
import resource
import socket
import struct
import threading
import time

import pytest

from hutch_lineage.delivery import Credentials, HttpOptions, reply_of
from hutch_lineage.delivery.http_sender import HttpSender
from hutch_lineage.mapping import parse_endpoint
from tests.receivers import Answer, Receiver

OK = b"HTTP/1.1 201 Created\r\n"
ENOUGH = 1 << 30


@contextlib.contextmanager
def pouring(head, again=b"", pause_s=0.0):
    """Serve answers that begin with `head` and go on with `again`, a gigabyte of it."""

    def pour(talk):
        with contextlib.suppress(OSError), talk:
            while talk.recv(65536):
                talk.sendall(head)
                time.sleep(pause_s)
                sent = 0
                while again and sent < ENOUGH:
                    talk.sendall(again)
                    sent += len(again)

    def serve(listener):
        with contextlib.suppress(OSError):
            while True:
                talk, _ = listener.accept()
                threading.Thread(target=pour, args=(talk,), daemon=True).start()

    with listening(serve) as url:
        yield url


@contextlib.contextmanager
def listening(serve):
    """Have ``serve(listener)`` answer on loopback, on a thread; it ends with the listener."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(8)
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        thread.join(10)


@contextlib.contextmanager
def sender(url, credentials=None, timeout_s=1.0):
    """Open a sender."""
    opened = HttpSender(parse_endpoint(url), credentials, HttpOptions(timeout_s=timeout_s))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("head", "again", "verdict"),
    [
        (OK + b"X-Long: ", b"x" * 65536, "retry"),
        (OK, b"X-Many: y\r\n" * 1000, "retry"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000, "retry"),
        (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 1000, "retry"),
        (b"", b"\0" * 65536, "retry"),
        (OK + b"\r\n", b"x" * 65536, "accepted"),
        (OK + b"Content-Length: 99999999999999\r\n\r\n", b"x" * 65536, "accepted"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n",
         "accepted"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", b"x" * 65536, "accepted"),
    ],
)  # fmt: skip
def test_an_answer_without_end_is_cut_off(head, again, verdict):
    """A header, a body, interim answers without end: bounded in time and in memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.monotonic()
    with pouring(head, again) as url, sender(url) as out:
        assert out.send(b"{}").verdict == verdict
    assert time.monotonic() - begin < 3
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000  # kB


@pytest.mark.parametrize(
    "chunks", [b"zz\r\n", b"-5\r\n", b"5;" + b"x" * 70_000, b"2\r\nokNO\r\n", b"\r\n\r\n", b""]
)
def test_nonsense_in_chunks_costs_the_connection_only(chunks):
    """The status has been said: the event is accepted, and the next one too."""
    raw = OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunks
    with Receiver(then=Answer(201, raw=raw)) as receiver, sender(receiver.url) as out:
        assert [out.send(b"{}").verdict for _ in range(2)] == ["accepted"] * 2
        assert len(receiver.requests) == 2


@pytest.mark.parametrize("status", [b"700", b"999", b"1000", b"99", b"000", b"-1", b"2e2", b"101"])
def test_a_status_that_there_is_not_is_tried_again(status):
    """Nothing but 2xx counts as accepted, and nothing but 4xx as refused."""
    raw = b"HTTP/1.1 " + status + b" What\r\nContent-Length: 0\r\n\r\n"
    with Receiver(then=Answer(201, raw=raw)) as receiver, sender(receiver.url) as out:
        assert out.send(b"{}").verdict == "retry"


def test_a_bomb_in_the_answer_is_not_unpacked():
    """A body that says it is compressed is left as it is."""
    bomb = gzip.compress(b"x" * 50_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer = Answer(422, {"Content-Encoding": "gzip"}, bomb)
    with Receiver(then=answer) as receiver, sender(receiver.url) as out:
        reply = out.send(b"{}")
        assert (reply.verdict, "xxx" in reply.reason) == ("rejected", False)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


@pytest.mark.parametrize(
    ("read", "say", "verdict"),
    [
        (100, b"", "retry"),
        (1 << 21, OK + b"Content-Length: 99\r\n\r\nhalf", "accepted"),
        (1 << 21, OK + b"Content-Le", "retry"),
    ],
)
def test_a_reset_in_the_middle(read, say, verdict):
    """Of the body of a request, of an answer, of its head: what counts is whether a status came."""

    def serve(listener):
        talk, _ = listener.accept()
        got = b""
        while len(got) < read and not got.endswith(b'"}'):
            got += talk.recv(65536)
        talk.sendall(say)
        time.sleep(0.1)
        talk.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        talk.close()

    with listening(serve) as url, sender(url, timeout_s=5) as out:
        reply = out.send(b'{"a":"%s"}' % (b"x" * 1_000_000))
    assert (reply.verdict, bool(reply.reason)) == (verdict, verdict == "retry")


@pytest.mark.parametrize("size", [1_000, 20_000, 60_000])
def test_an_answer_by_the_head_alone_is_read(size):
    """A server that knows from the head that a body is too large resets, and is heard all the same.

    So a request goes out as one piece: behind a reset there is nobody to take a second one.
    """

    def serve(listener):
        with contextlib.suppress(OSError):
            while True:
                talk, _ = listener.accept()
                with talk.makefile("rb") as head:
                    while head.readline().strip():
                        pass
                talk.sendall(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
                talk.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                talk.close()

    with listening(serve) as url:
        for _ in range(20):
            with sender(url, timeout_s=5) as out:
                reply = out.send(b'{"a":"%s"}' % (b"x" * size))
            assert (reply.verdict, reply.status) == ("rejected", 413)


def test_an_interim_answer_is_not_taken_for_the_answer():
    """After 103 comes what counts; the next event does not get the answer of this one."""

    def serve(listener):
        talk, _ = listener.accept()
        with talk:
            for status in (b"201 Created", b"422 No"):
                talk.recv(65536)
                talk.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
                time.sleep(0.05)
                talk.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")
            talk.recv(65536)

    with listening(serve) as url, sender(url, timeout_s=5) as out:
        assert [out.send(b"{}").verdict for _ in range(2)] == ["accepted", "rejected"]


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("file:///etc/passwd", "it redirects to file:, which is no HTTP"),
        ("ftp://127.0.0.1/x", "it redirects to ftp:, which is no HTTP"),
        ("/api/v1/lineage", "it redirects in a circle"),
        ("http://[::1", None),
        ("http://127.0.0.1:99999/", None),
        ("http://\x7f\xe9/", None),
        ("//", None),
        ("", "307 Temporary Redirect"),
    ],
)
def test_a_redirect_to_nowhere_is_a_reason(place, reason):
    """What is no HTTP is not opened, a circle ends, and nothing raises."""
    answer = Answer(307, {"Location": place})
    with Receiver(then=answer) as receiver, sender(receiver.url) as out:
        reply = out.send(b"{}")
        assert len(receiver.requests) <= 6
    assert reply.verdict == "retry"
    assert reply.reason
    assert reason in (None, reply.reason)


def test_redirects_to_ever_new_places_do_not_pile_up():
    """A hundred posts that are sent on to a hundred hosts leave a handful of connections."""
    with Receiver() as other:
        port = other.url.rpartition(":")[2]
        script = [Answer(307, {"Location": f"http://127.0.1.{n}:{port}/"}) for n in range(100)]
        with Receiver(*script) as receiver, sender(receiver.url) as out:
            for _ in range(100):
                out.send(b"{}")
            assert len(out._wires) < 10


@pytest.mark.parametrize("form", ["http://{}/", "//{}/", "http://127.0.0.1@{}/", "http://hush@{}/"])
def test_the_key_does_not_go_to_another_host(form):
    """However a redirect spells the other place, neither key, login nor header reaches it."""
    with Receiver() as other:
        place = form.format(other.url.partition("//")[2])
        with Receiver(Answer(308, {"Location": place})) as receiver:
            url = receiver.url.replace("//", "//me:hush-login@")
            with sender(url, Credentials("hush-key", {"X-Secret": "hush-header"})) as out:
                out.send(b"{}")
        assert "Bearer hush-key" in receiver.requests[0].headers.values()
        for request in other.requests:
            assert "hush-" not in str(request.headers)
            assert "Authorization" not in request.headers


@pytest.mark.parametrize(
    "value",
    ["-5", "1e400", "nan", "soon", "9" * 400, "Wed, 99 Foo 99999 99:99:99 GMT", "\u0663", "0x10",
     "Mon, 01 Jan 0001 00:00:00 +9999", "Fri, 31 Dec 99999999999999999999 23:59:59 GMT", "1 2"],
)  # fmt: skip
def test_a_nonsensical_retry_after_is_no_wait_or_a_bounded_one(value):
    """Whatever the header says, the wait is none, or up to five minutes."""
    wait_s = reply_of(503, value).wait_s
    assert wait_s is None or 0 <= wait_s <= 300


def test_an_answer_that_nobody_asked_for_is_not_taken_for_the_next_one():
    """A backend that answers twice costs the connection; the next event gets its own answer."""

    def serve(listener):
        talk, _ = listener.accept()
        with talk:
            talk.recv(65536)
            talk.sendall(OK + b"Content-Length: 0\r\n\r\n")
            time.sleep(0.05)
            talk.sendall(OK + b"Content-Length: 0\r\n\r\n")
            sent.set()
            other, _ = listener.accept()
        with other:
            other.recv(65536)
            other.sendall(b"HTTP/1.1 422 No\r\nContent-Length: 0\r\n\r\n")
            other.recv(65536)

    sent = threading.Event()
    with listening(serve) as url, sender(url, timeout_s=5) as out:
        assert out.send(b"{}").verdict == "accepted"
        sent.wait(5)
        assert out.send(b"{}").verdict == "rejected"
