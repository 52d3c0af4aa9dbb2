"""An application of the days of map-reduce through PyMongo: orders are found, summed and joined by JavaScript."""
import sys

import pymongo
from bson import Code
from bson.son import SON
from pymongo.errors import OperationFailure


def equal(found, expected):
    if found != expected:
        raise SystemExit(f"expected {expected!r}, found {found!r}")


client = pymongo.MongoClient(sys.argv[1], serverSelectionTimeoutMS=5000)
db = client["clients_scripts"]
client.drop_database(db.name)
db.orders.insert_many([
    {"_id": 1, "customer": "ada", "day": 1, "items": [{"sku": "pen", "count": 2, "price": 3}, {"sku": "ink", "count": 1, "price": 9}]},
    {"_id": 2, "customer": "bob", "day": 1, "items": [{"sku": "pen", "count": 10, "price": 3}]},
    {"_id": 3, "customer": "ada", "day": 2, "items": [{"sku": "ink", "count": 5, "price": 9}]},
    {"_id": 4, "customer": "cy", "day": 2, "items": []},
])
total = "this.items.reduce(function(sum, each) { return sum + each.count * each.price; }, 0)"

# $where, as a string, as code, with another condition, with a scope
equal([each["_id"] for each in db.orders.find().where(f"{total} > 20").sort("_id")], [2, 3])
equal([each["_id"] for each in db.orders.find({"customer": "ada", "$where": Code(f"function() {{ return {total} < 20; }}")})], [1])
equal(db.orders.count_documents({"$expr": {"$function": {"body": "function(items) { return items.length == 0; }", "args": ["$items"], "lang": "js"}}}), 1)
equal(db.orders.delete_many({"$where": "this.items.length == 0"}).deleted_count, 1)

# mapReduce: inline, with a query, a sort, a limit, a scope, and finalize
mapper = Code("function() { var order = this; order.items.forEach(function(each) { emit(each.sku, {count: each.count, paid: each.count * each.price * factor}); }); }")
reducer = Code("function(key, values) { var sum = {count: 0, paid: 0}; values.forEach(function(each) { sum.count += each.count; sum.paid += each.paid; }); return sum; }")


def map_reduce(out, **options):
    return db.command(SON([("mapReduce", "orders"), ("map", mapper), ("reduce", reducer), ("out", out), ("scope", {"factor": 2})], **options))


def by_id(documents):
    return sorted(((each["_id"], each["value"]) for each in documents), key=lambda each: each[0])


equal(by_id(map_reduce({"inline": 1})["results"]),
      [("ink", {"count": 6.0, "paid": 108.0}), ("pen", {"count": 12.0, "paid": 72.0})])
equal(by_id(map_reduce({"inline": 1}, query={"day": 1}, sort={"_id": 1}, limit=1, finalize=Code("function(key, value) { return value.paid; }"))["results"]),
      [("ink", 18.0), ("pen", 12.0)])

# ... into a collection: in place of another, into another, and added to what an earlier run has left there
map_reduce("sums", query={"day": 1})
equal(by_id(db.sums.find()), [("ink", {"count": 1.0, "paid": 18.0}), ("pen", {"count": 12.0, "paid": 72.0})])
map_reduce({"reduce": "sums"}, query={"day": 2})
equal(by_id(db.sums.find()), [("ink", {"count": 6.0, "paid": 108.0}), ("pen", {"count": 12.0, "paid": 72.0})])
db.sums.insert_one({"_id": "nib", "value": 1})
map_reduce({"merge": "sums"}, query={"day": 2})
equal(by_id(db.sums.find()), [("ink", {"count": 5.0, "paid": 90.0}), ("nib", 1), ("pen", {"count": 12.0, "paid": 72.0})])
map_reduce({"replace": "sums"})
equal(db.sums.count_documents({}), 2)

# $accumulator
found = db.orders.aggregate([{"$group": {"_id": "$customer", "skus": {"$accumulator": {
    "init": "function() { return []; }",
    "accumulate": "function(state, items) { return state.concat(items.map(function(each) { return each.sku; })); }",
    "accumulateArgs": ["$items"],
    "merge": "function(one, other) { return one.concat(other); }",
    "finalize": "function(state) { return state.sort().join(' '); }",
    "lang": "js"}}}}, {"$sort": {"_id": 1}}])
equal(list(found), [{"_id": "ada", "skus": "ink ink pen"}, {"_id": "bob", "skus": "pen"}])

# A mistake in a script is the client's, and the next command finds everything as before.
try:
    list(db.orders.find().where("this.nothing.at.all"))
    raise SystemExit("expected an error, nothing was refused")
except OperationFailure as e:
    equal(e.code, 139)
equal(db.orders.count_documents({}), 3)
