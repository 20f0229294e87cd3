"A server on this machine, answered by a function."

import json, time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from zlib import crc32


@contextmanager
def serving(answer):
    "A server on this machine: `answer(handler, payload)` for every request."

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            answer(self, json.loads(self.rfile.read(int(self.headers['Content-Length']))))

        def do_GET(self):
            answer(self, None)

        do_HEAD = do_GET

        def send(self, status, body, **headers):
            self.send_response(status)
            for k, v in {'Content-Length': str(len(body)), **headers}.items():
                self.send_header(k.replace('_', '-'), v)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *args):
            pass  # clients that time out hang up

    server = Server(('127.0.0.1', 0), Handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f'http://127.0.0.1:{server.server_port}'
    finally:
        server.shutdown()
        server.server_close()


class Flaky:
    "Fails at three requests in ten, in several ways, by prompt, seed and number of the try alone; notes what it was asked and paid for."

    def __init__(self, reply, ways=('busy', 'cut'), pause=0.004):
        self.reply, self.ways, self.pause, self.tries, self.asked, self.paid, self.lock = (
            reply,
            ways,
            pause,
            {},
            [],
            [],
            Lock(),
        )

    def __call__(self, http, asked):
        key = (asked['messages'][0]['content'], asked['seed'])
        with self.lock:
            self.tries[key] = self.tries.get(key, 0) + 1
            self.asked.append(key)
        chance = crc32(repr((key, self.tries[key])).encode())
        time.sleep(chance % 5 * self.pause)
        body = json.dumps(
            dict(choices=[dict(message=dict(role='assistant', content=self.reply(*key)))])
        ).encode()
        way = self.ways[chance // 10 % len(self.ways)] if chance % 10 < 3 else 'well'
        if way == 'busy':
            return http.send(503, b'busy')
        if way == 'later':
            return http.send(429, b'too many requests', Retry_After='1')
        if way == 'none':
            return http.send(200, b'{"choices": []}')
        if way == 'cut':
            return http.send(200, body[:-9], Content_Length=str(len(body)))
        with self.lock:
            self.paid.append(key)
        http.send(200, body)
