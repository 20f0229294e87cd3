"A real S3 server on the loopback address, which keeps its objects on disk; and a proxy before it that forgets a header."

from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
import socket, subprocess, sys, time
from web import free_port


def options(port):  # as LanceDB takes them
    keys = dict(aws_access_key_id='key', aws_secret_access_key='secret')
    return (
        dict(endpoint=f'http://127.0.0.1:{port}', allow_http='true', region='us-east-1', client_max_retries='1') | keys
    )


class Bucket:
    "A server with one bucket, `shelf`."

    def __init__(self, folder):
        self.folder, self.port, self.process = Path(folder), free_port(), None
        (self.folder / 'shelf').mkdir(parents=True)
        self.options = options(self.port)

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, '-m', 'localbucket', str(self.folder), '--port', str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.time() + 30
        while time.time() < until:
            try:
                return socket.create_connection(('127.0.0.1', self.port), 1).close()
            except OSError:
                time.sleep(0.05)
        raise RuntimeError('the server did not start')

    def kill(self):
        self.process.kill()
        self.process.wait()


FORGOTTEN = {'if-none-match', 'host', 'connection'}
OWN = {'transfer-encoding', 'content-length', 'connection', 'date', 'server'}


class Proxy(BaseHTTPRequestHandler):
    "Hands on what comes, but for the header that makes a store refuse."

    protocol_version = 'HTTP/1.1'

    def log_message(self, *args):
        pass

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        headers = {k: v for k, v in self.headers.items() if k.lower() not in FORGOTTEN}
        there = HTTPConnection('127.0.0.1', self.server.behind, timeout=30)
        there.request(self.command, self.path, body, headers)
        reply = there.getresponse()
        data = reply.read()
        length = str(len(data))
        if self.command == 'HEAD':
            length = reply.headers.get('Content-Length', '0')
        self.send_response(reply.status)
        for k, v in reply.getheaders():
            if k.lower() not in OWN:
                self.send_header(k, v)
        self.send_header('Content-Length', length)
        self.end_headers()
        self.wfile.write(data)
        there.close()

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = pass_on


@contextmanager
def forgetful(port):  # options of a store that ignores If-None-Match
    server = ThreadingHTTPServer(('127.0.0.1', 0), Proxy)
    server.behind = port
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield options(server.server_port)
    finally:
        server.shutdown()
