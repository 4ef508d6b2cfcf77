"""Lists and calls all tools with the official SDK for Python: client.py URL REVISION... Prints what it got as JSON."""

import asyncio
import json
import sys

from mcp import Client, MCPError

MODERN = "2026-07-28"
ORDER = {"item": "tea", "quantity": 2, "price": 3.5, "delivery": "POST", "day": "2026-12-30"}
ARGUMENTS = {"buy": {"order": ORDER}, "buy_masked": {"order": ORDER}, "greet": {"visitor": "Bo"}, "greet_ana": {}}


async def main(url: str, revision: str) -> None:
    async with Client(url, mode=MODERN if revision == MODERN else "legacy") as client:
        tools = (await client.list_tools()).tools
        results = {}
        for tool in tools:
            # The SDK checks the result against the tool's schema.
            assert tool.output_schema is not None, tool.name
            result = await client.call_tool(tool.name, ARGUMENTS[tool.name])
            assert not result.is_error, result
            results[tool.name] = result.structured_content
        failed = await client.call_tool("buy", {"order": {**ORDER, "quantity": 11}})
        try:
            await client.call_tool("sell", {})
            unknown = ""
        except MCPError as e:
            unknown = str(e)
        got = {
            "revision": client.protocol_version,
            "results": results,
            "failure": json.loads(failed.content[0].text)["code"] if failed.is_error else "",
            "unknown": unknown,
        }
        print("got " + json.dumps(got))


for revision in sys.argv[2:]:
    asyncio.run(main(sys.argv[1], revision))
