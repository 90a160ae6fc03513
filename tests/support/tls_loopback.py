"""TLS and a company's proxy on loopback: a certificate authority, a TLS front for any server of this machine, and a proxy.

authority = Authority(tmp_path)
with OpenAIChat() as fake, TlsFront(authority, "model.test", fake.port) as front, ConnectProxy({"model.test": front.port}) as proxy:
    ...  # SSL_CERT_FILE=authority.file HTTPS_PROXY=proxy.url and base_url https://model.test/v1
    assert proxy.asked == ["model.test:443"]
"""

import base64
import datetime as dt
import re
import socket
import socketserver
import ssl
import threading
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """A certificate authority of its own; `file` is what a client must trust."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self._folder, self._key = folder, ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        key_usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        built = (
            _certificate(self._name, self._name, self._key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(key_usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
        )
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(built.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))

    def server_context(self, host: str) -> ssl.SSLContext:
        """A TLS context of a server with that name."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        built = (
            _certificate(subject, self._name, key)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
        )
        encoding, no_password = serialization.Encoding.PEM, serialization.NoEncryption()
        pem = built.sign(self._key, hashes.SHA256()).public_bytes(encoding)
        both = self._folder / f"{host}-{id(key)}.pem"
        both.write_bytes(pem + key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, no_password))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(both)
        return context


def _certificate(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=30))
    )


class _Threads(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    block_on_close = False

    def handle_error(self, *_: object) -> None:
        """A client that breaks a handshake off is the subject of these tests."""


class _Loopback:
    def __init__(self) -> None:
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                outer.serve(self.request)

        self._server = _Threads(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.closing = threading.Event()

    def serve(self, client: socket.socket) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


class TlsFront(_Loopback):
    """Speaks TLS as `host`, and hands what it reads to a port of this machine."""

    def __init__(self, authority: Authority, host: str, backend_port: int) -> None:
        self._context, self._backend = authority.server_context(host), backend_port
        super().__init__()

    def serve(self, client: socket.socket) -> None:
        with self._context.wrap_socket(client, server_side=True) as inside:
            _join(inside, self._backend)


class ConnectProxy(_Loopback):
    """Tunnels `CONNECT host:port` to the port that `routes` has for the host, and nothing else.

    `password` is `name:password`, asked for with 407; `hangs` reads the request and never answers.
    """

    def __init__(self, routes: dict[str, int], *, password: str = "", hangs: bool = False) -> None:
        self._routes, self._password, self._hangs = routes, password, hangs
        self.asked: list[str] = []
        super().__init__()
        self.url = f"http://127.0.0.1:{self.port}"

    def serve(self, client: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            piece = client.recv(4096)
            if not piece:
                return
            head += piece
        method, target = head.split(b" ")[:2]
        self.asked.append(target.decode())
        if self._hangs:
            self.closing.wait(120)
            return
        given = re.search(rb"(?i)\r\nproxy-authorization: basic ([^\r]*)", head)
        wanted = base64.b64encode(self._password.encode())
        if self._password and (given is None or given[1] != wanted):
            challenge = b'Proxy-Authenticate: Basic realm="company"\r\n'
            client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\n" + challenge + b"Content-Length: 0\r\n\r\n")
            return
        port = self._routes.get(target.decode().partition(":")[0])
        if method != b"CONNECT" or port is None:
            client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            return
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        _join(client, port)


def _join(client: socket.socket, port: int) -> None:
    """Carry bytes both ways until one side ends."""
    with socket.create_connection(("127.0.0.1", port)) as backend:
        back = threading.Thread(target=_copy, args=(backend, client), daemon=True)
        back.start()
        _copy(client, backend)
        back.join(120)


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass
