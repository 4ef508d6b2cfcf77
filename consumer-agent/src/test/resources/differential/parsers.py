"""Reads inputs from stdin, each with a 32-bit length in front, and writes a line for each: what h11 makes of it, a blank, what llhttp does.

That is METHOD,TARGET,BODY; of each request, target and body in hexadecimal, and how it ends: failed, more (the next request is not
complete) or closed (the parser takes no further request).
"""
import struct
import sys

import h11
import httptools


def by_h11(data):
    requests = []
    connection = h11.Connection(h11.SERVER)
    try:
        connection.receive_data(data)
        request, body = None, b""
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                return requests, "more"
            if event is h11.PAUSED:
                return requests, "closed"
            if isinstance(event, h11.Request):
                request, body = event, b""
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                requests.append((request.method, request.target, body))
                if connection.their_state is not h11.DONE:
                    return requests, "closed"
                connection.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
                connection.send(h11.EndOfMessage())
                if connection.our_state is not h11.DONE:
                    return requests, "closed"
                connection.start_next_cycle()
            else:
                return requests, "closed"
    except h11.RemoteProtocolError:
        return requests, "failed"


class Requests:
    def __init__(self):
        self.requests = []
        self.parser = httptools.HttpRequestParser(self)
        self.url = self.body = b""

    def on_message_begin(self):
        self.url = self.body = b""

    def on_url(self, url):
        self.url += url

    def on_body(self, body):
        self.body += body

    def on_message_complete(self):
        self.requests.append((self.parser.get_method(), self.url, self.body))


def by_llhttp(data):
    requests = Requests()
    try:
        requests.parser.feed_data(data)
        return requests.requests, "more"
    except httptools.HttpParserUpgrade:
        return requests.requests, "closed"
    except httptools.HttpParserError:
        return requests.requests, "failed"


def line(result):
    requests, end = result
    return "".join(f"{method.decode()},{target.hex()},{body.hex()};" for method, target, body in requests) + end


while True:
    length = sys.stdin.buffer.read(4)
    if not length:
        break
    data = sys.stdin.buffer.read(struct.unpack(">I", length)[0])
    print(line(by_h11(data)), line(by_llhttp(data)), flush=False)
