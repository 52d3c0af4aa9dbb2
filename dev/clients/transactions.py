"""Transactions through PyMongo: conflicts that are retried, commits whose answers get lost, what is refused."""
import sys
import threading

import pymongo
from pymongo.errors import AutoReconnect, OperationFailure
from pymongo.read_concern import ReadConcern

client = pymongo.MongoClient(sys.argv[1], serverSelectionTimeoutMS=5000)
client.drop_database("clients_transactions_python")
db = client["clients_transactions_python"]
accounts = db.accounts


def equal(found, expected):
    if found != expected:
        raise SystemExit(f"expected {expected!r}, found {found!r}")


def refused(code, action):
    try:
        action()
    except OperationFailure as e:
        equal(e.code, code)
        return e
    raise SystemExit(f"expected error {code}, nothing was refused")


# Transfers from many threads: conflicts are retried, money stays.
accounts.insert_many({"_id": i, "balance": 100} for i in range(4))


def transfer(session, source, target):
    amount = accounts.find_one({"_id": source}, session=session)["balance"] // 10
    accounts.update_one({"_id": source}, {"$inc": {"balance": -amount}}, session=session)
    accounts.update_one({"_id": target}, {"$inc": {"balance": amount}}, session=session)


failures = []


def transfers(number):
    try:
        with client.start_session() as session:
            for i in range(10):
                source = (number + i) % 4
                session.with_transaction(lambda s: transfer(s, source, (source + 1) % 4),
                                         read_concern=ReadConcern("snapshot"))
    except Exception as e:
        failures.append(e)


threads = [threading.Thread(target=transfers, args=(i,)) for i in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
equal(failures, [])
equal(sum(a["balance"] for a in accounts.find()), 400)

# What a transaction writes is seen by nobody before the commit, and by nobody ever after an abort.
with client.start_session() as session:
    with session.start_transaction():
        accounts.insert_one({"_id": 10}, session=session)
        equal(accounts.count_documents({}), 4)
        equal(accounts.count_documents({}, session=session), 5)
    equal(accounts.count_documents({}), 5)
    session.start_transaction()
    accounts.delete_many({}, session=session)
    equal(accounts.count_documents({}, session=session), 0)
    session.abort_transaction()
    equal(accounts.count_documents({}), 5)

# Two transactions write one document: the second is told at once.
with client.start_session() as first, client.start_session() as second:
    first.start_transaction()
    second.start_transaction()
    accounts.update_one({"_id": 1}, {"$set": {"x": 1}}, session=first)
    conflict = refused(112, lambda: accounts.update_one({"_id": 1}, {"$set": {"x": 2}}, session=second))
    equal(conflict.has_error_label("TransientTransactionError"), True)
    first.commit_transaction()
    equal(accounts.find_one({"_id": 1})["x"], 1)

# What is not allowed.
with client.start_session() as session:
    session.start_transaction()
    accounts.find_one({}, session=session)
    refused(263, lambda: accounts.estimated_document_count(session=session)
            if "session" in accounts.estimated_document_count.__code__.co_varnames
            else db.command("count", "accounts", session=session))
    session.abort_transaction()

# Lost answers, where the server can be made to lose them.
try:
    fail = lambda **data: client.admin.command(
        {"configureFailPoint": "failCommand", "mode": {"times": 1}, "data": data})
    fail(failCommands=["commitTransaction"], closeConnection=True, phase="afterApply")
    with client.start_session() as session:
        with session.start_transaction():
            accounts.update_one({"_id": 1}, {"$inc": {"n": 1}}, session=session)
    equal(accounts.find_one({"_id": 1})["n"], 1)
    fail(failCommands=["commitTransaction"], closeConnection=True)
    with client.start_session() as session:
        with session.start_transaction():
            accounts.update_one({"_id": 1}, {"$inc": {"n": 1}}, session=session)
    equal(accounts.find_one({"_id": 1})["n"], 2)
    # A retryable write runs once, however often it is sent.
    fail(failCommands=["update"], closeConnection=True, phase="afterApply")
    accounts.update_one({"_id": 1}, {"$inc": {"n": 1}})
    equal(accounts.find_one({"_id": 1})["n"], 3)
    plain = pymongo.MongoClient(sys.argv[1], retryWrites=False)
    fail(failCommands=["update"], closeConnection=True)
    try:
        plain[db.name].accounts.update_one({"_id": 1}, {"$inc": {"n": 1}})
        raise SystemExit("the connection was not closed")
    except AutoReconnect:
        pass
    equal(accounts.find_one({"_id": 1})["n"], 3)
except OperationFailure as e:
    if e.code != 59:
        raise
    print("PyMongo transactions: without fail points")

client.drop_database(db.name)
