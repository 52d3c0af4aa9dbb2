// A session of an ordinary application through the Node.js driver.
const { MongoClient, Long, Decimal128 } = require("mongodb");
const assert = require("node:assert/strict");

async function main() {
  const client = new MongoClient(process.argv[2], { serverSelectionTimeoutMS: 5000 });
  const db = client.db("clients_node");
  await db.dropDatabase();
  const people = db.collection("people");

  // documents
  const { insertedId } = await people.insertOne({ name: "Ada", age: 36, tags: ["math"] });
  assert.equal((await people.findOne({ _id: insertedId })).name, "Ada");
  assert.equal((await people.updateOne({ name: "Ada" }, { $inc: { age: 1 } })).modifiedCount, 1);
  assert.equal((await people.findOneAndUpdate({ name: "Ada" }, { $set: { x: 1 } }, { returnDocument: "after" })).x, 1);
  assert.equal((await people.updateOne({ name: "Bob" }, { $set: { age: 1 } }, { upsert: true })).upsertedCount, 1);
  assert.equal((await people.deleteMany({ name: "Bob" })).deletedCount, 1);
  await db.collection("types").insertOne({ _id: 1, l: Long.fromString("1099511627776"), d: Decimal128.fromString("1.10"), t: new Date(5) });
  assert.equal((await db.collection("types").findOne()).d.toString(), "1.10");

  // indexes
  assert.equal(await people.createIndex({ name: 1 }, { unique: true }), "name_1");
  await assert.rejects(people.insertOne({ name: "Ada" }), { code: 11000 });
  const plan = await people.find({ name: "Ada" }).explain("executionStats");
  assert.equal(plan.queryPlanner.winningPlan.inputStage.indexName, "name_1");
  assert.equal(plan.executionStats.totalDocsExamined, 1);

  // cursors over 10,000 documents
  const numbers = db.collection("numbers");
  await numbers.insertMany(Array.from({ length: 10000 }, (_, i) => ({ _id: i, k: i % 100 })));
  let seen = 0;
  for await (const document of numbers.find({}, { batchSize: 500 })) assert.equal(document._id, seen++);
  assert.equal(seen, 10000);
  assert.equal(await numbers.countDocuments({ k: { $gte: 50 } }), 5000);
  assert.equal((await numbers.distinct("k")).length, 100);

  // aggregation
  const groups = await numbers.aggregate([{ $group: { _id: "$k", n: { $sum: 1 } } }, { $sort: { _id: -1 } }, { $limit: 1 }]).toArray();
  assert.deepEqual(groups, [{ _id: 99, n: 100 }]);

  // bulk writes on collection and client
  const bulk = await numbers.bulkWrite([{ insertOne: { document: { _id: 20000 } } }, { deleteOne: { filter: { _id: 1 } } }]);
  assert.deepEqual([bulk.insertedCount, bulk.deletedCount], [1, 1]);
  const across = await client.bulkWrite([
    { name: "insertOne", namespace: "clients_node.a", document: { _id: 1 } },
    { name: "updateOne", namespace: "clients_node.b", filter: { _id: 1 }, update: { $set: { x: 1 } }, upsert: true },
  ]);
  assert.deepEqual([across.insertedCount, across.upsertedCount], [1, 1]);

  // errors
  await assert.rejects(db.command({ noSuchCommand: 1 }), { code: 59, codeName: "CommandNotFound" });
  await assert.rejects(people.find({ a: { $foo: 1 } }).toArray(), { code: 2 });
  await assert.rejects(people.aggregate([{ $foo: 1 }]).toArray(), { code: 40324 });

  await client.withSession(async (session) => assert.equal((await people.findOne({}, { session })).name, "Ada"));
  await db.dropDatabase();
  await client.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
