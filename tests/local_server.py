"A server on this machine, answered by a function."
import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

@contextmanager
def serving(answer):
    "A server on this machine: `answer(handler, payload)` for every request."
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self): answer(self, json.loads(self.rfile.read(int(self.headers['Content-Length']))))
        def do_GET(self): answer(self, None)
        do_HEAD = do_GET
        def send(self, status, body, **headers):
            self.send_response(status)
            for k, v in {'Content-Length': str(len(body)), **headers}.items(): self.send_header(k.replace('_', '-'), v)
            self.end_headers(); self.wfile.write(body)
        def log_message(self, *args): pass
    class Server(ThreadingHTTPServer):
        def handle_error(self, *args): pass     # clients that time out hang up
    server = Server(('127.0.0.1', 0), Handler)
    Thread(target=server.serve_forever, args=(.02,), daemon=True).start()
    try: yield f'http://127.0.0.1:{server.server_port}'
    finally: server.shutdown(); server.server_close()
