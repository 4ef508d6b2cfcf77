"""Calls the demo's shop through a consumer agent. usage: python3 shop.py [http://127.0.0.1:20000]"""
import http.client
import json
import sys
import time
from decimal import Decimal
from urllib.parse import urlsplit

DEADLINE_MS = 2000
ATTEMPTS = 3


class CallFailed(Exception):
    """A call that was answered with a problem document (RFC 9457)."""

    def __init__(self, problem):
        super().__init__(f"{problem['code']}: {problem['detail']}")
        self.problem = problem


class Mesh:
    """A connection to the consumer agent beside this program. Give each thread its own."""

    def __init__(self, url):
        address = urlsplit(url)
        # The agent answers at the deadline, at the latest: this is for an agent that is gone.
        self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=DEADLINE_MS / 1000 + 1)

    def call(self, target, *arguments):
        """target: interface/method, with ?version=...&group=... if the service has them"""
        headers = {"Content-Type": "application/json", "X-Request-Timeout": str(DEADLINE_MS)}
        for attempt in range(ATTEMPTS):
            self.connection.request("POST", "/" + target, json.dumps(arguments), headers)
            answer = self.connection.getresponse()
            # As Decimal, since a float would lose digits.
            result = json.loads(answer.read(), parse_float=Decimal)
            # 503 alone says that the service did not execute the call and may do so later.
            if answer.status != 503 or attempt == ATTEMPTS - 1:
                break
            time.sleep(int(answer.headers["Retry-After"]))
        if answer.status != 200:
            raise CallFailed(result)
        return result


def main():
    mesh = Mesh(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:20000")
    shop = "io.dubbomesh.demo.shop.Shop"
    order = {"item": "tea", "quantity": 2, "price": "3.50", "delivery": "POST", "day": "2026-12-30"}

    receipt = mesh.call(shop + "/buy", order)
    print(f"{receipt['item']} for {receipt['total']}, delivered on {receipt['day']}")

    print(mesh.call(shop + "/greet?version=2.0.0&group=blue", "Ana"))

    try:
        mesh.call(shop + "/buy", {**order, "quantity": 20})
    except CallFailed as failure:
        print(failure)


main()
