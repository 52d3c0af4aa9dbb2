package dev.semel.server.auth;

import static dev.semel.server.auth.Action.*;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The roles that every server has, and what they allow: those of MongoDB, as far as there is something to allow here. */
public final class BuiltInRoles {
    private static final String ADMIN = "admin";

    /** In any database. */
    public static final List<String> OF_DATABASES = List.of("dbAdmin", "dbOwner", "read", "readWrite", "userAdmin");

    /** In {@code admin} only, beside those that every database has. */
    public static final List<String> OF_ADMIN = List.of(
            "__system",
            "backup",
            "clusterAdmin",
            "clusterManager",
            "clusterMonitor",
            "dbAdminAnyDatabase",
            "hostManager",
            "readAnyDatabase",
            "readWriteAnyDatabase",
            "restore",
            "root",
            "userAdminAnyDatabase");

    private static final Set<Action> READ = EnumSet.of(
            changeStream, collStats, dbHash, dbStats, find, killCursors, listCollections, listIndexes, planCacheRead);

    private static final Set<Action> WRITE = EnumSet.of(
            convertToCapped,
            createCollection,
            createIndex,
            dropCollection,
            dropIndex,
            insert,
            remove,
            renameCollectionSameDB,
            update);

    private static final Set<Action> DATABASE_ADMIN = EnumSet.of(
            bypassDocumentValidation,
            collMod,
            collStats,
            compact,
            convertToCapped,
            createCollection,
            createIndex,
            dbStats,
            dropCollection,
            dropDatabase,
            dropIndex,
            enableProfiler,
            indexStats,
            listCollections,
            listIndexes,
            planCacheIndexFilter,
            planCacheRead,
            planCacheWrite,
            reIndex,
            renameCollectionSameDB,
            validate);

    private static final Set<Action> USER_ADMIN = EnumSet.of(
            changeCustomData,
            changePassword,
            createRole,
            createUser,
            dropRole,
            dropUser,
            grantRole,
            revokeRole,
            setAuthenticationRestriction,
            viewRole,
            viewUser);

    private static final Set<Action> MONITOR = EnumSet.of(
            checkFreeMonitoringStatus,
            connPoolStats,
            getCmdLineOpts,
            getDefaultRWConcern,
            getLog,
            getParameter,
            hostInfo,
            inprog,
            listDatabases,
            listSessions,
            replSetGetConfig,
            replSetGetStatus,
            serverStatus,
            top);

    private static final Set<Action> MANAGER = EnumSet.of(
            appendOplogNote,
            getDefaultRWConcern,
            listSessions,
            replSetConfigure,
            replSetGetConfig,
            replSetGetStatus,
            replSetResizeOplog,
            replSetStateChange,
            setDefaultRWConcern,
            setFeatureCompatibilityVersion);

    private static final Set<Action> HOST = EnumSet.of(
            dropConnections,
            fsync,
            invalidateUserCache,
            killAnyCursor,
            killAnySession,
            killop,
            logRotate,
            setParameter,
            shutdown,
            unlock);

    private BuiltInRoles() {}

    public static boolean exists(Role role) {
        return OF_DATABASES.contains(role.name()) || (role.database().equals(ADMIN) && OF_ADMIN.contains(role.name()));
    }

    /** None of a role that does not exist. */
    public static List<Privilege> privileges(Role role) {
        if (!exists(role)) {
            return List.of();
        }
        List<Privilege> granted = new ArrayList<>();
        add(role.name(), Resource.database(role.database()), role.database(), granted);
        return granted;
    }

    private static void add(String role, Resource database, String name, List<Privilege> to) {
        switch (role) {
            case "read" -> read(database, name, to);
            case "readWrite" -> readWrite(database, name, to);
            case "dbAdmin" -> databaseAdmin(database, name, to);
            case "userAdmin" -> to.add(new Privilege(database, USER_ADMIN));
            case "dbOwner" -> {
                readWrite(database, name, to);
                databaseAdmin(database, name, to);
                to.add(new Privilege(database, USER_ADMIN));
            }
            case "readAnyDatabase" -> {
                read(Resource.allDatabases(), "", to);
                to.add(Privilege.onCluster(listDatabases));
            }
            case "readWriteAnyDatabase" -> {
                readWrite(Resource.allDatabases(), "", to);
                to.add(Privilege.onCluster(listDatabases));
            }
            case "dbAdminAnyDatabase" -> {
                databaseAdmin(Resource.allDatabases(), "", to);
                to.add(Privilege.onCluster(listDatabases));
            }
            case "userAdminAnyDatabase" -> userAdminAnyDatabase(to);
            case "clusterMonitor" -> clusterMonitor(to);
            case "clusterManager" -> to.add(new Privilege(Resource.cluster(), MANAGER));
            case "hostManager" -> hostManager(to);
            case "clusterAdmin" -> clusterAdmin(to);
            case "backup" -> backup(to);
            case "restore" -> restore(to);
            case "root" -> {
                readWrite(Resource.allDatabases(), "", to);
                databaseAdmin(Resource.allDatabases(), "", to);
                userAdminAnyDatabase(to);
                clusterAdmin(to);
                backup(to);
                restore(to);
            }
            case "__system" -> to.add(Privilege.on(Resource.everything(), anyAction));
            default -> throw new IllegalArgumentException("no role is called " + role);
        }
    }

    private static void read(Resource database, String name, List<Privilege> to) {
        to.add(new Privilege(database, READ));
        to.add(new Privilege(new Resource.Data(name, "system.js"), READ));
    }

    private static void readWrite(Resource database, String name, List<Privilege> to) {
        to.add(new Privilege(database, union(READ, WRITE)));
        to.add(new Privilege(new Resource.Data(name, "system.js"), union(READ, WRITE)));
    }

    private static void databaseAdmin(Resource database, String name, List<Privilege> to) {
        to.add(new Privilege(database, DATABASE_ADMIN));
        to.add(new Privilege(
                new Resource.Data(name, "system.profile"),
                union(READ, EnumSet.of(convertToCapped, createCollection, dropCollection))));
    }

    private static void userAdminAnyDatabase(List<Privilege> to) {
        to.add(new Privilege(Resource.allDatabases(), USER_ADMIN));
        // External users, whose database cannot be used otherwise.
        to.add(new Privilege(Resource.database(UserName.EXTERNAL), USER_ADMIN));
        to.add(Privilege.onCluster(invalidateUserCache, listDatabases));
        to.add(new Privilege(new Resource.Data(ADMIN, "system.users"), READ));
    }

    private static void clusterMonitor(List<Privilege> to) {
        to.add(new Privilege(Resource.cluster(), MONITOR));
        to.add(Privilege.on(Resource.allDatabases(), collStats, dbStats, indexStats));
        read(Resource.database("config"), "config", to);
        read(Resource.database("local"), "local", to);
    }

    private static void hostManager(List<Privilege> to) {
        to.add(new Privilege(Resource.cluster(), HOST));
        to.add(Privilege.on(Resource.allDatabases(), killCursors));
    }

    private static void clusterAdmin(List<Privilege> to) {
        clusterMonitor(to);
        to.add(new Privilege(Resource.cluster(), MANAGER));
        hostManager(to);
        to.add(Privilege.on(Resource.allDatabases(), dropDatabase));
    }

    /** Whatever can be read, users included. */
    private static void backup(List<Privilege> to) {
        to.add(Privilege.onCluster(appendOplogNote, getParameter, listDatabases, serverStatus));
        for (String database : List.of("", "config", "local")) {
            to.add(Privilege.onDatabase(database, find, listCollections, listIndexes, collStats));
        }
        to.add(Privilege.on(new Resource.Data("", "system.js"), find));
        to.add(Privilege.on(new Resource.Data(ADMIN, "system.users"), find));
    }

    /** Everything that can be written; users only by the commands for them, which check their arguments. */
    private static void restore(List<Privilege> to) {
        for (Resource each : List.of(Resource.allDatabases(), new Resource.Data("", "system.js"))) {
            to.add(new Privilege(each, union(WRITE, EnumSet.of(bypassDocumentValidation, collMod, listCollections))));
        }
        to.add(Privilege.onCluster(getParameter));
        to.add(new Privilege(Resource.allDatabases(), USER_ADMIN));
    }

    private static Set<Action> union(Set<Action> one, Set<Action> other) {
        Set<Action> all = EnumSet.copyOf(one);
        all.addAll(other);
        return all;
    }
}
