import asyncio


def work(x):
    asyncio.get_event_loop().stop()
