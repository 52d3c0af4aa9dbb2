package dev.semel.bench.load;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** PostgreSQL with the documents as jsonb, a connection per client, every statement prepared once. */
final class PostgresTarget implements Target {
    /** Serialization failure and deadlock: the transaction has to be run again. */
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01");

    private final String url;
    private final Queue<Client> opened = new ConcurrentLinkedQueue<>();

    /** Idle connections: each measurement has threads of its own. */
    private final Queue<Client> idle = new ConcurrentLinkedQueue<>();

    private Payload payload = new Payload(1, 0);

    PostgresTarget(String url) {
        this.url = url;
    }

    @Override
    public void prepare(int count, int bytes) {
        payload = new Payload(count, bytes);
        try (Connection connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute("drop table if exists documents, inserted");
            statement.execute("create table documents (id bigint primary key, body jsonb not null)");
            statement.execute("create table inserted (id bigint primary key, body jsonb not null)");
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("insert into documents values (?, ?::jsonb)")) {
                for (int id = 0; id < count; id++) {
                    insert.setLong(1, id);
                    insert.setString(2, body(id));
                    insert.addBatch();
                    if (id % 1000 == 999) {
                        insert.executeBatch();
                    }
                }
                insert.executeBatch();
            }
            connection.commit();
            connection.setAutoCommit(true);
            statement.execute("create index on documents (((body->>'key')::int))");
            statement.execute("vacuum analyze documents");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void insert(long id) {
        run(client -> {
            client.insert.setLong(1, id);
            client.insert.setString(2, body(id));
            MongoTarget.expectCount(1, client.insert.executeUpdate());
        });
    }

    @Override
    public void insertBatch(long firstId, int count) {
        run(client -> {
            client.connection.setAutoCommit(false);
            for (long id = firstId; id < firstId + count; id++) {
                client.insert.setLong(1, id);
                client.insert.setString(2, body(id));
                client.insert.addBatch();
            }
            client.insert.executeBatch();
            client.connection.commit();
            client.connection.setAutoCommit(true);
        });
    }

    @Override
    public void removeInserted() {
        run(client -> client.connection.createStatement().execute("truncate inserted"));
    }

    @Override
    public void findById(int id) {
        run(client -> {
            client.findById.setLong(1, id);
            MongoTarget.expectCount(1, rows(client.findById));
        });
    }

    @Override
    public void findByKey(int key) {
        run(client -> {
            client.findByKey.setInt(1, key);
            MongoTarget.expectCount(1, rows(client.findByKey));
        });
    }

    @Override
    public void range(int fromKey) {
        int from = Math.min(fromKey, payload.count() - 100);
        run(client -> {
            client.range.setInt(1, from);
            client.range.setInt(2, from + 100);
            MongoTarget.expectCount(100, rows(client.range));
        });
    }

    @Override
    public void increment(int id) {
        run(client -> {
            client.increment.setLong(1, id);
            MongoTarget.expectCount(1, client.increment.executeUpdate());
        });
    }

    @Override
    public void transaction(int read, int first, int second, long newId) {
        run(client -> {
            client.connection.setAutoCommit(false);
            client.connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            while (!attempt(client, read, first, second, newId)) {
                client.connection.rollback();
            }
            client.connection.setAutoCommit(true);
            client.connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        });
    }

    private boolean attempt(Client client, int read, int first, int second, long newId) throws SQLException {
        try {
            client.findById.setLong(1, read);
            MongoTarget.expectCount(1, rows(client.findById));
            client.increment.setLong(1, first);
            MongoTarget.expectCount(1, client.increment.executeUpdate());
            client.increment.setLong(1, second);
            MongoTarget.expectCount(1, client.increment.executeUpdate());
            client.insert.setLong(1, newId);
            client.insert.setString(2, body(newId));
            MongoTarget.expectCount(1, client.insert.executeUpdate());
            client.connection.commit();
            return true;
        } catch (SQLException e) {
            if (CONFLICTS.contains(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void group() {
        run(client -> MongoTarget.expectCount(Math.min(Payload.GROUPS, payload.count()), rows(client.group)));
    }

    @Override
    public void holdLocks(int count) {
        run(client -> {
            client.connection.setAutoCommit(false);
            try (var statement = client.connection.createStatement()) {
                statement.execute("select id from documents order by id limit " + count + " for update");
            }
        });
        idle.clear();
    }

    @Override
    public void close() {
        for (Client client : opened) {
            try {
                client.connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private String body(long id) {
        return "{\"key\":" + payload.key(id) + ",\"group\":" + payload.group(id) + ",\"counter\":0,\"text\":\""
                + payload.text() + "\"}";
    }

    private static int rows(PreparedStatement query) throws SQLException {
        int rows = 0;
        try (var result = query.executeQuery()) {
            while (result.next()) {
                result.getString(1);
                rows++;
            }
        }
        return rows;
    }

    private void run(Statements statements) {
        Client free = idle.poll();
        Client client = free == null ? open() : free;
        try {
            statements.run(client);
            idle.add(client);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Client open() {
        try {
            Client client = new Client(DriverManager.getConnection(url));
            opened.add(client);
            return client;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Statements {
        void run(Client client) throws SQLException;
    }

    /** One connection and what it has prepared. */
    private static final class Client {
        private final Connection connection;
        private final PreparedStatement insert;
        private final PreparedStatement findById;
        private final PreparedStatement findByKey;
        private final PreparedStatement range;
        private final PreparedStatement increment;
        private final PreparedStatement group;

        Client(Connection connection) throws SQLException {
            this.connection = connection;
            insert = connection.prepareStatement("insert into inserted values (?, ?::jsonb)");
            findById = connection.prepareStatement("select body from documents where id = ?");
            findByKey = connection.prepareStatement("select body from documents where (body->>'key')::int = ?");
            range = connection.prepareStatement("select body from documents where (body->>'key')::int >= ?"
                    + " and (body->>'key')::int < ? order by (body->>'key')::int");
            increment = connection.prepareStatement("update documents set body = jsonb_set(body, '{counter}',"
                    + " to_jsonb((body->>'counter')::int + 1)) where id = ?");
            group = connection.prepareStatement(
                    "select body->>'group', count(*), sum((body->>'key')::int) from documents group by 1");
        }
    }
}
