"""What a network can do to one post, each over a real socket."""

from __future__ import annotations

import contextlib
import gzip
import socket
import ssl
import subprocess
import threading
import time

import pytest

from hutch_lineage.delivery import Credentials, HttpOptions
from hutch_lineage.delivery.http_sender import HttpSender
from hutch_lineage.mapping import parse_endpoint
from tests.receivers import Answer, Receiver

EVENT = b'{"eventType":"RUNNING"}'


def sender_for(url, credentials=None, **options):
    """Return a sender."""
    return HttpSender(parse_endpoint(url), credentials, HttpOptions(**options))


def send(url, credentials=None, **options):
    """Post one event and return the reply."""
    sender = sender_for(url, credentials, **options)
    reply = sender.send(EVENT)
    sender.close()
    return reply


@pytest.mark.parametrize(
    "raw", [b"HTTP/1.1 201 Created\r\nX-A: ", b"HTTP/1.1 201 Created\r\n" + b"X-A: b\r\n" * 99]
)
def test_headers_that_drip_have_a_total_time_limit(raw):
    """A backend that sends a byte now and then holds nobody for longer than the time-out."""
    with Receiver(then=Answer(201, raw=raw + b"x" * 500, drip_s=0.05)) as receiver:
        start = time.monotonic()
        reply = send(receiver.url, timeout_s=0.3)
        assert time.monotonic() - start < 3
    assert (reply.verdict, reply.reason) == ("retry", "no answer within 0.3 s")


@pytest.mark.parametrize(
    "raw",
    [b"SMTP ready\r\n\r\n", b"\0" * 100, b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 2", b"x" * 100_000],
)
def test_what_is_no_http_is_tried_again(raw):
    """A malformed reply is a failure like any other: it never raises."""
    with Receiver(then=Answer(201, raw=raw)) as receiver:
        reply = send(receiver.url, timeout_s=2)
    assert reply.verdict == "retry"
    assert reply.reason


def test_chunked_answers_are_read():
    """An answer in chunks keeps the connection."""
    raw = b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
    with Receiver(then=Answer(201, raw=raw)) as receiver:
        assert send(receiver.url).verdict == "accepted"


def test_a_half_open_connection_is_noticed():
    """A connection whose other end is gone without a word times out and is opened anew."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        sender = sender_for(f"http://127.0.0.1:{listener.getsockname()[1]}", timeout_s=0.2)
        replies = [sender.send(EVENT) for _ in range(2)]
        sender.close()
    assert [reply.reason for reply in replies] == ["no answer within 0.2 s"] * 2


def test_a_host_without_address_is_told():
    """A name that no resolver knows is a reason, not an exception."""
    reply = send("http://no-such-host.invalid")
    assert (reply.verdict, reply.status) == ("retry", None)
    assert reply.reason


def test_bodies_are_compressed_on_request():
    """With gzip the body says so and is the same when it is unpacked."""
    with Receiver() as receiver:
        send(receiver.url, gzip=True)
    (request,) = receiver.requests
    assert request.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(request.body) == EVENT


def test_a_proxy_of_the_environment_is_used(monkeypatch):
    """HTTP_PROXY gets the full URL and its own login; the key goes with the request."""
    with Receiver() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.replace("//", "//me:pw@"))
        monkeypatch.setenv("no_proxy", "")
        reply = send("http://backend.invalid/?a=1", Credentials("hush"))
    (request,) = proxy.requests
    assert reply.verdict == "accepted"
    assert request.path == "http://backend.invalid/api/v1/lineage?a=1"
    assert request.headers["Host"] == "backend.invalid"
    assert request.headers["Proxy-Authorization"] == "Basic bWU6cHc="


def test_no_proxy_is_honoured(monkeypatch):
    """A host that NO_PROXY names is reached directly."""
    with Receiver() as proxy, Receiver() as receiver:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert send(receiver.url).verdict == "accepted"
    assert (len(proxy.requests), len(receiver.requests)) == (0, 1)


def test_a_proxy_that_cannot_be_used_is_told(monkeypatch):
    """A kind of proxy that is not known is a reason."""
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "")
    assert "socks5" in send("http://backend.invalid").reason


# -- TLS -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Make a certificate for localhost; return the files of certificate and key."""
    folder = tmp_path_factory.mktemp("tls")
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost"],
        capture_output=True, check=False,
    )  # fmt: skip
    if made.returncode:
        pytest.skip("openssl cannot make a certificate")
    return folder / "cert.pem", folder / "key.pem"


@pytest.fixture
def secure(certificate):
    """Serve HTTPS on loopback; return the URL and the list of request lines."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(5)
    seen = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                plain, _ = listener.accept()
                with (
                    contextlib.suppress(OSError, ssl.SSLError),
                    context.wrap_socket(plain, server_side=True) as talk,
                ):
                    request = talk.recv(65536)
                    while not request.endswith(EVENT):  # closing before that would reset it
                        request += talk.recv(65536)
                    seen.append(request.split(b"\r\n")[0])
                    talk.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"https://localhost:{listener.getsockname()[1]}", seen
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join(5)


def test_a_certificate_that_nobody_trusts_is_refused(secure):
    """TLS with a wrong certificate sends nothing and says why."""
    url, seen = secure
    reply = send(url, Credentials("hush"))
    assert reply.verdict == "retry"
    assert "certificate is not trusted" in reply.reason
    assert seen == []


@pytest.mark.parametrize("by", ["setting", "variable"])
def test_a_ca_bundle_is_trusted(secure, certificate, monkeypatch, by):
    """O8: a bundle that is named, in the settings or in the environment, makes it trusted."""
    url, seen = secure
    if by == "variable":
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate[0]))
    bundle = str(certificate[0]) if by == "setting" else None
    reply = send(url, ca_bundle=bundle)
    assert reply.verdict == "accepted", reply.reason
    assert seen == [b"POST /api/v1/lineage HTTP/1.1"]


def test_a_certificate_of_another_host_is_refused(secure, certificate):
    """Trusted, but made out for localhost: by its number nothing is sent, not even the key."""
    url, seen = secure
    reply = send(
        url.replace("localhost", "127.0.0.1"), Credentials("hush"), ca_bundle=str(certificate[0])
    )
    assert reply.verdict == "retry"
    assert "certificate" in reply.reason
    assert seen == []


def test_a_bundle_that_is_not_there_is_a_reason(secure):
    """A file that cannot be read is told, not raised."""
    assert send(secure[0], ca_bundle="/nowhere.pem").reason == "No such file or directory"


# -- batches -------------------------------------------------------------------------------------


def batch(receiver, count=3, **options):
    """Post a batch; return the sender and the replies."""
    sender = sender_for(receiver.url, batch=10, **options)
    replies = sender.send_batch([b'{"n":%d}' % number for number in range(count)])
    sender.close()
    return sender, replies


def test_a_batch_is_one_request():
    """Several events go to /lineage/batch as a JSON array."""
    with Receiver(204) as receiver:
        _, replies = batch(receiver)
    (request,) = receiver.requests
    assert (request.path, request.json) == ("/api/v1/lineage/batch", [{"n": 0}, {"n": 1}, {"n": 2}])
    assert [reply.verdict for reply in replies] == ["accepted"] * 3


def test_partial_success_is_handled_event_by_event():
    """What the answer names as failed is rejected, or tried again where it says so."""
    body = (
        b'{"status":"partial_success","summary":{"received":4,"successful":2,"failed":2},'
        b'"failed_events":[{"index":1,"reason":"bad","retriable":false},'
        b'{"index":2,"reason":"busy","retriable":true},{"index":99},"odd",{"index":"0"}]}'
    )
    with Receiver(Answer(200, body=body)) as receiver:
        _, replies = batch(receiver, 4)
    assert [reply.verdict for reply in replies] == ["accepted", "rejected", "retry", "accepted"]
    assert (replies[1].reason, replies[2].reason) == ("bad", "busy")


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_backend_without_batches_gets_single_posts(status):
    """Where the path is not there, each goes by itself from then on, on any connection."""
    with Receiver(status, then=201) as receiver:
        sender, replies = batch(receiver)
    assert [request.path for request in receiver.requests] == [
        "/api/v1/lineage/batch",
        "/api/v1/lineage",
    ]
    assert [reply.verdict for reply in replies] == ["accepted"]
    assert (sender.batch, sender.twin().batch) == (1, 1)


def test_of_a_batch_that_is_refused_each_goes_by_itself():
    """Which event it is, single posts tell; later events go in batches again."""
    with Receiver(422, 201, 400, 201) as receiver:
        sender, replies = batch(receiver)
    assert [reply.verdict for reply in replies] == ["accepted", "rejected", "accepted"]
    assert sender.batch == 10


def test_a_batch_that_is_too_large_is_halved():
    """413 makes the next ones smaller."""
    with Receiver(413, then=201) as receiver:
        sender, _ = batch(receiver, 8)
    assert sender.batch == 4


def test_openmetadata_has_a_form_of_its_own():
    """Its batch is an object, and it names the events that failed in other words."""
    body = (
        b'{"status":"partial_success","summary":{"received":3,"successful":2,"failed":1},'
        b'"failedEvents":[{"index":2,"reason":"no such job","retriable":false}]}'
    )
    with Receiver(Answer(200, body=body)) as receiver:
        _, replies = batch(receiver, batch_form="openmetadata")
    assert receiver.requests[0].json == {"events": [{"n": 0}, {"n": 1}, {"n": 2}]}
    assert [reply.verdict for reply in replies] == ["accepted", "accepted", "rejected"]
    assert replies[2].reason == "no such job"


@pytest.mark.parametrize(
    ("made", "verdicts"), [(2, ["accepted"] * 2), (1, ["accepted", "rejected"])]
)
def test_where_edges_count_a_batch_that_made_too_few_goes_one_by_one(made, verdicts):
    """The answer to a batch has their sum alone; the answer to a single event says which one."""
    edge = b'{"eventType":"COMPLETE","inputs":[{"name":"a"}],"outputs":[{"name":"b"}]}'
    bodies = [b'{"eventType":"START"}', edge, edge]
    one = [Answer(200, body=b'{"lineageEdgesCreated":%d}' % count) for count in (0, 1, 0)]
    with Receiver(Answer(200, body=b'{"lineageEdgesCreated":%d}' % made), *one) as receiver:
        sender = sender_for(receiver.url, batch=10, accepted="edges")
        replies = sender.send_batch(bodies)
        sender.close()
        assert len(receiver.requests) == (1 if made == 2 else 4)
    assert [reply.verdict for reply in replies] == ["accepted", *verdicts]
