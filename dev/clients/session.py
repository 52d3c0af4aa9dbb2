"""A session of an ordinary application through PyMongo."""
import sys

import pymongo
from bson import Decimal128, Int64, ObjectId
from bson.son import SON
from pymongo import ASCENDING, DESCENDING, InsertOne, UpdateOne, DeleteOne, ReplaceOne, ReturnDocument
from pymongo.errors import BulkWriteError, DuplicateKeyError, OperationFailure

client = pymongo.MongoClient(sys.argv[1], serverSelectionTimeoutMS=5000)
db = client["clients_python"]
client.drop_database(db.name)


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


people = db.people
equal(client.server_info()["version"].startswith("8.0"), True)

# documents
inserted = people.insert_one({"name": "Ada", "age": 36, "tags": ["math", "engine"]}).inserted_id
equal(people.find_one({"_id": inserted})["name"], "Ada")
equal(people.update_one({"_id": inserted}, {"$inc": {"age": 1}, "$push": {"tags": "notes"}}).modified_count, 1)
equal(people.find_one({"age": 37}, {"_id": 0, "tags": 1}), {"tags": ["math", "engine", "notes"]})
equal(people.update_one({"name": "Bob"}, {"$set": {"age": 5}}, upsert=True).matched_count, 0)
equal(people.replace_one({"name": "Bob"}, {"name": "Bob", "age": 6}).modified_count, 1)
equal(people.find_one_and_update({"name": "Bob"}, {"$mul": {"age": 2}}, return_document=ReturnDocument.AFTER)["age"], 12)
equal(people.delete_one({"name": "Bob"}).deleted_count, 1)
equal(people.count_documents({}), 1)
equal(people.estimated_document_count(), 1)
every_type = {"_id": 1, "d": 1.5, "s": "ü", "o": {"a": 1}, "a": [1, "x"], "b": b"\x00\x01", "i": ObjectId(), "t": True,
              "n": None, "l": Int64(1 << 40), "dec": Decimal128("1.10")}
db.types.insert_one(every_type)
equal(db.types.find_one(), every_type)

# indexes
people.create_index([("name", ASCENDING)], unique=True)
refusal = None
try:
    people.insert_one({"name": "Ada"})
except DuplicateKeyError as e:
    refusal = e.details
equal((refusal["code"], refusal["keyPattern"], refusal["keyValue"]), (11000, {"name": 1}, {"name": "Ada"}))
equal(sorted(people.index_information()), ["_id_", "name_1"])
plan = people.find({"name": "Ada"}).explain()["queryPlanner"]["winningPlan"]
equal((plan["stage"], plan["inputStage"]["stage"], plan["inputStage"]["indexName"]), ("FETCH", "IXSCAN", "name_1"))

# cursors over 10,000 documents
numbers = db.numbers
numbers.insert_many({"_id": i, "k": i % 100, "v": i * i} for i in range(10_000))
equal([d["_id"] for d in numbers.find(batch_size=777)], list(range(10_000)))
equal(sum(1 for _ in numbers.find({"k": {"$lt": 10}})), 1000)
numbers.create_index([("k", ASCENDING), ("v", DESCENDING)])
equal([d["v"] for d in numbers.find({"k": 7}).sort("v", -1).limit(3)], [9907 ** 2, 9807 ** 2, 9707 ** 2])
equal(sorted(numbers.distinct("k")), list(range(100)))

# aggregation
groups = list(numbers.aggregate([
    {"$match": {"_id": {"$lt": 1000}}},
    {"$group": {"_id": "$k", "n": {"$sum": 1}, "top": {"$max": "$v"}}},
    {"$sort": SON([("_id", 1)])},
    {"$limit": 2},
]))
equal(groups, [{"_id": 0, "n": 10, "top": 810000}, {"_id": 1, "n": 10, "top": 811801}])
equal(list(people.aggregate([{"$unwind": "$tags"}, {"$count": "n"}])), [{"n": 3}])

# bulk writes, and the atomic batch
result = numbers.bulk_write([InsertOne({"_id": 20_000}), UpdateOne({"_id": 1}, {"$set": {"x": 1}}), DeleteOne({"_id": 2}),
                             ReplaceOne({"_id": 3}, {"y": 1})])
equal((result.inserted_count, result.modified_count, result.deleted_count), (1, 2, 1))
try:
    people.insert_many([{"name": "Cid"}, {"name": "Ada"}, {"name": "Dan"}])
    raise SystemExit("a duplicate was stored")
except BulkWriteError as e:
    equal(e.details["writeErrors"][0]["index"], 1)
equal(people.count_documents({"name": "Cid"}), 0)

# errors
equal(refused(59, lambda: db.command("noSuchCommand")).details["codeName"], "CommandNotFound")
refused(2, lambda: people.find_one({"name": {"$foo": 1}}))
refused(40324, lambda: people.aggregate([{"$foo": {}}]))
refused(40415, lambda: db.command("find", "people", foo=1))
refused(9, lambda: people.update_one({}, {"$foo": {"a": 1}}))

with client.start_session() as session:
    equal(people.find_one({"name": "Ada"}, session=session)["age"], 37)
client.drop_database(db.name)
equal(db.name in client.list_database_names(), False)
