// Increments a counter for some seconds, whatever happens to the servers, and says whether it is exact.
//
//     npm install mongodb
//     node counter.js 60

const {randomUUID} = require("crypto");
const {setTimeout: pause} = require("timers/promises");
const {MongoClient, MongoError} = require("mongodb");

const LOCAL = "mongodb://127.0.0.1:27017,127.0.0.1:27018,127.0.0.1:27019/?replicaSet=rs0";

const client = new MongoClient(process.env.MONGODB_URI || LOCAL);
const counters = client.db("failover").collection("counters", {readConcern: "linearizable"});
const counter = {_id: "node-" + randomUUID()};
const end = Date.now() + 1000 * (process.argv[2] || 60);

/** Asks again until there is an answer. That is safe for what changes nothing. */
async function persistently(question) {
    while (true) {
        try {
            return await question();
        } catch (error) {
            if (!(error instanceof MongoError)) throw error;
            await pause(100);
        }
    }
}

/** What happened to the write with this token: applied, or notApplied. Then it will not be applied later either. */
async function outcome(token) {
    while (true) {
        const reply = await persistently(() => client.db("admin").command({writeOutcome: {once: token}}));
        if (reply.outcome !== "inProgress") return reply.outcome;
    }
}

async function main() {
    let acknowledged = 0;
    const settled = [];
    while (Date.now() < end) {
        const token = randomUUID();
        try {
            await counters.updateOne(counter, {$inc: {n: 1}}, {upsert: true, comment: {once: token}});
            acknowledged++;
        } catch (error) {
            if (!(error instanceof MongoError)) throw error;
            console.error("node: unknown outcome:", error.message);
            settled.push(await outcome(token));
        }
    }
    const applied = settled.filter(each => each === "applied").length;
    const found = await persistently(() => counters.findOne(counter));
    const n = found ? found.n : 0;
    const isExact = n === acknowledged + applied;
    console.log(`node: acknowledged ${acknowledged}, unknown outcomes ${settled.length}, of them applied ${applied}: `
        + `the counter is ${n}, ${isExact ? "exactly" : "and NOT"} the sum`);
    await client.close();
    process.exitCode = isExact ? 0 : 1;
}

main();
