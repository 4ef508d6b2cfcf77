"""Calls the demo's shop by the client that openapi-python-client has made of its OpenAPI document.

usage: run.sh [http://127.0.0.1:20000]
"""

import datetime
import sys

from shop_client import Client
from shop_client.api.shop import shop_buy, shop_greet
from shop_client.models import Delivery, OrderInput, Problem, Receipt

client = Client(base_url=sys.argv[1])
order = OrderInput(item="tea", quantity=2, price=3.50, delivery=Delivery.POST, day=datetime.date(2026, 12, 30))

receipt = shop_buy.sync(client=client, body=order, x_request_timeout=2000)
assert isinstance(receipt, Receipt), receipt
assert receipt == Receipt(item="tea", total=7.00, delivery=Delivery.POST, day=datetime.date(2027, 1, 1)), receipt
print(f"{receipt.item} for {receipt.total:.2f}, delivered on {receipt.day}")

greeting = shop_greet.sync(client=client, body=["Ana"])
assert greeting == "Welcome to the shop, Ana", greeting
print(greeting)

order.quantity = 20
problem = shop_buy.sync(client=client, body=order)
assert isinstance(problem, Problem) and problem.status == 500, problem
assert problem.exception_class == "io.dubbomesh.demo.shop.SoldOutException", problem
print(f"{problem.code}: {problem.detail}")
