// Transactions through the Node.js driver: conflicts that are retried, commits whose answers get lost.
const { MongoClient } = require("mongodb");
const assert = require("node:assert/strict");

async function main() {
  const client = new MongoClient(process.argv[2], { serverSelectionTimeoutMS: 5000 });
  const db = client.db("clients_transactions_node");
  await db.dropDatabase();
  const accounts = db.collection("accounts");
  await accounts.insertMany([0, 1, 2, 3].map((_id) => ({ _id, balance: 100 })));

  // Transfers side by side: conflicts are retried, money stays.
  const transfers = async (number) => {
    const session = client.startSession();
    for (let i = 0; i < 10; i++) {
      const source = (number + i) % 4;
      await session.withTransaction(async () => {
        const { balance } = await accounts.findOne({ _id: source }, { session });
        const amount = Math.floor(balance / 10);
        await accounts.updateOne({ _id: source }, { $set: { balance: balance - amount } }, { session });
        await accounts.updateOne({ _id: (source + 1) % 4 }, { $inc: { balance: amount } }, { session });
      });
    }
    await session.endSession();
  };
  await Promise.all([0, 1, 2, 3].map(transfers));
  const sum = (await accounts.find().toArray()).reduce((total, each) => total + each.balance, 0);
  assert.equal(sum, 400);

  // Nothing is seen before the commit, and nothing ever of what is aborted.
  const session = client.startSession();
  session.startTransaction({ readConcern: { level: "snapshot" } });
  await accounts.insertOne({ _id: 10 }, { session });
  assert.equal(await accounts.countDocuments(), 4);
  assert.equal(await accounts.countDocuments({}, { session }), 5);
  await session.commitTransaction();
  assert.equal(await accounts.countDocuments(), 5);
  session.startTransaction();
  await accounts.deleteMany({}, { session });
  await session.abortTransaction();
  assert.equal(await accounts.countDocuments(), 5);

  // A cursor within.
  session.startTransaction();
  const seen = [];
  for await (const each of accounts.find({}, { session, batchSize: 2, sort: { _id: 1 } })) seen.push(each._id);
  assert.deepEqual(seen, [0, 1, 2, 3, 10]);
  await session.commitTransaction();

  // A lost answer, where the server can be made to lose it.
  const fail = (data) =>
    client.db("admin").command({ configureFailPoint: "failCommand", mode: { times: 1 }, data });
  try {
    await fail({ failCommands: ["commitTransaction"], closeConnection: true, phase: "afterApply" });
    await session.withTransaction(() => accounts.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session }));
    assert.equal((await accounts.findOne({ _id: 1 })).n, 1);
    await fail({ failCommands: ["insert"], errorCode: 189 });
    await session.withTransaction(() => accounts.insertOne({ _id: 11 }, { session }));
    assert.equal(await accounts.countDocuments(), 6);
    await fail({ failCommands: ["update"], closeConnection: true, phase: "afterApply" });
    await accounts.updateOne({ _id: 1 }, { $inc: { n: 1 } });
    assert.equal((await accounts.findOne({ _id: 1 })).n, 2);
  } catch (e) {
    if (e.code !== 59) throw e;
    console.log("Node.js transactions: without fail points");
  }
  await session.endSession();
  await db.dropDatabase();
  await client.close();
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
