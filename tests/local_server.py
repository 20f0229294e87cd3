"A server on this machine, answered by a function."

import json, math, signal, time
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


def message(content, **more):
    "The body of a whole reply."
    choice = dict(message=dict(role='assistant', content=content), **more)
    return json.dumps(dict(choices=[choice])).encode()


class Flaky:
    "Fails at three requests in ten, in several ways, by prompt, seed and number of the try alone, or at all from one on; notes what it was asked and paid for."

    def __init__(self, reply, ways=('busy', 'cut'), pause=0.004, fail_from=math.inf):
        self.reply, self.ways, self.pause, self.fail_from = reply, ways, pause, fail_from
        self.tries, self.asked, self.paid, self.lock = {}, [], [], Lock()
        self.now = self.most = 0  # requests under way at once

    def __call__(self, http, asked):
        key = (asked['messages'][0]['content'], asked['seed'])
        with self.lock:
            self.tries[key] = self.tries.get(key, 0) + 1
            self.asked.append(key)
            count = len(self.asked)
            self.now += 1
            self.most = max(self.most, self.now)
        chance = crc32(repr((key, self.tries[key])).encode())
        time.sleep(chance % 5 * self.pause)
        with self.lock:
            self.now -= 1  # whoever has its reply no longer counts
        if count >= self.fail_from:
            return http.send(500, b'{"error": "out of memory"}')
        body = message(self.reply(*key))
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


def killed(process, server=None, more=0):
    "Kill a process, after more replies to it if it asks a server; whether there was one to kill."
    until = server and len(server.paid) + more
    while server and len(server.paid) < until and process.is_alive():
        time.sleep(0.005)
    process.kill()
    process.join()
    if server:
        time.sleep(0.3)  # what it sent has arrived
    return process.exitcode == -signal.SIGKILL
