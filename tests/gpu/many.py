# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs independent programs, several at once, and says how far it is. Used where correctness counts, not time."""

import concurrent.futures
import sys


def run_many(work, items, jobs, name):
    """Yields (item, work(item)) in the order of items, with up to `jobs` at once; `name` heads the progress on stderr."""
    items = list(items)
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        futures = [pool.submit(work, item) for item in items]
        for count, (item, future) in enumerate(zip(items, futures), 1):
            result = future.result()
            print(f"{name}: {count} of {len(items)}", file=sys.stderr, flush=True)
            yield item, result
