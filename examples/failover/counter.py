"""Increments a counter for some seconds, whatever happens to the servers, and says whether it is exact.

    pip install pymongo
    python3 counter.py 60
"""
import os
import sys
import time
import uuid

import pymongo
from pymongo.errors import PyMongoError
from pymongo.monitoring import CommandListener
from pymongo.read_concern import ReadConcern

LOCAL = "mongodb://127.0.0.1:27017,127.0.0.1:27018,127.0.0.1:27019/?replicaSet=rs0"


class LastWrite(CommandListener):
    """The session and the number that the driver gives to a write. If it sends the write again, both are the same."""

    id = None

    def started(self, event):
        if event.command_name == "update":
            self.id = {"lsid": event.command["lsid"], "txnNumber": event.command["txnNumber"]}

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


last_write = LastWrite()
client = pymongo.MongoClient(os.environ.get("MONGODB_URI", LOCAL), event_listeners=[last_write])
counters = client.failover.get_collection("counters", read_concern=ReadConcern("linearizable"))


def persistently(question):
    """Asks again until there is an answer. That is safe for what changes no data."""
    while True:
        try:
            return question()
        except PyMongoError:
            time.sleep(0.1)


def outcome(write, session):
    """What happened to the write: applied, or notApplied. In the second case it will not be applied later either."""
    if write is None:
        return "notApplied"  # It was never sent.
    while True:
        reply = persistently(lambda: client.admin.command({"writeOutcome": write}, session=session))
        if reply["outcome"] != "inProgress":
            return reply["outcome"]


counter = {"_id": f"python-{uuid.uuid4()}"}
acknowledged = 0
settled = []
with client.start_session() as session:
    end = time.monotonic() + float(sys.argv[1] if len(sys.argv) > 1 else 60)
    while time.monotonic() < end:
        last_write.id = None
        try:
            counters.update_one(counter, {"$inc": {"n": 1}}, upsert=True, session=session)
            acknowledged += 1
        except PyMongoError as error:
            print("python: unknown outcome:", error, file=sys.stderr)
            settled.append(outcome(last_write.id, session))

applied = settled.count("applied")
found = persistently(lambda: counters.find_one(counter))
n = found["n"] if found else 0
is_exact = n == acknowledged + applied
print(f"python: acknowledged {acknowledged}, unknown outcomes {len(settled)}, of them applied {applied}: "
      f"the counter is {n}, {'exactly' if is_exact else 'and NOT'} the sum")
sys.exit(0 if is_exact else 1)
