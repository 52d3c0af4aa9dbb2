package dev.semel.bench.query;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** PostgreSQL with the documents as jsonb, and its own indexes for words and points. */
final class PostgresAsked implements Asked {
    private static final Map<Question, String> STATEMENTS = new EnumMap<>(Map.of(
            Question.LOOKUP,
            "select t.body, o.body from things t left join others o on o.id = (t.body->>'n')::int"
                    + " where (t.body->>'g')::int = ?",
            Question.TOP,
            "select body from things where (body->>'g')::int = ? order by (body->>'w')::int desc limit 10",
            Question.WINDOWS,
            "select body, sum((body->>'w')::int) over (order by (body->>'v')::int rows unbounded preceding)"
                    + " from things where (body->>'g')::int = ?",
            Question.WORD,
            "select body from things where to_tsvector('english', body->>'t') @@ to_tsquery('english', ?) limit 10",
            Question.BEST,
            "select body, ts_rank(to_tsvector('english', body->>'t'), q) as score from things,"
                    + " to_tsquery('english', ?) q where to_tsvector('english', body->>'t') @@ q order by score desc"
                    + " limit 10",
            Question.NEAR,
            "select body from things order by point((body->>'x')::float8, (body->>'y')::float8) <-> point(?, ?)"
                    + " limit 10",
            Question.COUNT,
            "select count(*) from things where (body->>'g')::int = ?",
            Question.DISTINCT,
            "select distinct (body->>'g')::int from things"));

    private final String url;
    private final Queue<Client> opened = new ConcurrentLinkedQueue<>();
    private final Queue<Client> idle = new ConcurrentLinkedQueue<>();

    PostgresAsked(String url) {
        this.url = url;
    }

    private record Client(Connection connection, Map<Question, PreparedStatement> statements) {}

    @Override
    public void prepare(Things all) {
        try (Connection connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute("drop table if exists things, others");
            statement.execute("create table things (id int primary key, body jsonb not null)");
            statement.execute("create table others (id int primary key, body jsonb not null)");
            connection.setAutoCommit(false);
            List<String> bodies = new ArrayList<>();
            for (int id = 0; id < all.count(); id++) {
                Things.Thing thing = all.thing(id);
                bodies.add("{\"g\":%d,\"v\":%d,\"w\":%d,\"n\":%d,\"x\":%s,\"y\":%s,\"t\":\"%s\"}"
                        .formatted(thing.g(), thing.v(), thing.w(), thing.n(), thing.x(), thing.y(), thing.text()));
                insert(connection, "things", id, bodies, id == all.count() - 1);
            }
            for (int id = 0; id < all.others(); id++) {
                bodies.add("{\"name\":\"other %d\"}".formatted(id));
                insert(connection, "others", id, bodies, id == all.others() - 1);
            }
            connection.commit();
            connection.setAutoCommit(true);
            statement.execute("create index on things (((body->>'g')::int), ((body->>'v')::int))");
            statement.execute("create index on things using gin (to_tsvector('english', body->>'t'))");
            statement.execute("create index on things using gist (point((body->>'x')::float8, (body->>'y')::float8))");
            statement.execute("vacuum analyze things");
            statement.execute("vacuum analyze others");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A thousand at a time; the last of the bodies has the identifier. */
    private static void insert(Connection connection, String table, int last, List<String> bodies, boolean isEnd)
            throws SQLException {
        if (bodies.size() < 1000 && !isEnd) {
            return;
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into " + table + " values (?, ?::jsonb)")) {
            for (int i = 0; i < bodies.size(); i++) {
                insert.setInt(1, last - bodies.size() + 1 + i);
                insert.setString(2, bodies.get(i));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        bodies.clear();
    }

    @Override
    public boolean answers(Question question) {
        return true;
    }

    @Override
    public long ask(Question question, int about) {
        Client free = idle.poll();
        try {
            Client client = free == null ? open() : free;
            PreparedStatement statement = client.statements.get(question);
            if (statement == null) {
                throw new IllegalStateException("no statement for " + question);
            }
            switch (question) {
                case LOOKUP, TOP, WINDOWS, COUNT -> statement.setInt(1, about % Things.GROUPS);
                case WORD -> statement.setString(1, Things.word(about));
                case BEST -> statement.setString(1, Things.word(about) + " | " + Things.word(about + 1));
                case NEAR -> {
                    statement.setDouble(1, about % 340 - 170.0);
                    statement.setDouble(2, about % 330 - 165.0);
                }
                case DISTINCT -> {}
            }
            long results = 0;
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    String first = rows.getString(1);
                    results = question == Question.COUNT ? Long.parseLong(first) : results + 1;
                }
            }
            idle.add(client);
            return results;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Client open() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        Map<Question, PreparedStatement> statements = new EnumMap<>(Question.class);
        for (var each : STATEMENTS.entrySet()) {
            statements.put(each.getKey(), connection.prepareStatement(each.getValue()));
        }
        Client client = new Client(connection, statements);
        opened.add(client);
        return client;
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
}
