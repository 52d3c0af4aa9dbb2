package dev.semel.bench.load;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** mongo-java-server in its own process, so that its processor time can be measured separately. */
public final class MongoJavaServer {
    private MongoJavaServer() {}

    public static void main(String[] arguments) {
        MongoServer server = new MongoServer(new MemoryBackend());
        server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
        System.out.println("mongo-java-server is ready: " + server.getConnectionString());
    }
}
