package dev.semel.server.commands;

import java.util.Set;

/** The names of commands that exist elsewhere: they are refused by name, not as if they were typing errors. */
final class UnsupportedCommands {
    private UnsupportedCommands() {}

    /** Commands of MongoDB and TokuMX that clients may know and that are not to be had here, or not yet. */
    static final Set<String> KNOWN_ELSEWHERE = Set.of(
            "abortLoad",
            "abortTransaction",
            "addPartition",
            "addShard",
            "addShardToZone",
            "appendOplogNote",
            "applyOps",
            "backupStart",
            "backupStatus",
            "backupThrottle",
            "balancerStart",
            "balancerStatus",
            "balancerStop",
            "beginLoad",
            "checkpoint",
            "commitLoad",
            "commitTransaction",
            "convertToPartitioned",
            "coordinateCommitTransaction",
            "createRole",
            "dataSize",
            "dbHash",
            "dropAllRolesFromDatabase",
            "dropConnections",
            "dropPartition",
            "dropRole",
            "enableSharding",
            "engineStatus",
            "filemd5",
            "flushRouterConfig",
            "forceWriteLocks",
            "getDiagnosticData",
            "getPartitionInfo",
            "getShardMap",
            "getShardVersion",
            "getlasterror",
            "grantPrivilegesToRole",
            "grantRolesToRole",
            "invalidateUserCache",
            "listShards",
            "logRotate",
            "moveChunk",
            "movePrimary",
            "moveRange",
            "prepareTransaction",
            "reapLogicalSessionCacheNow",
            "recoverToPoint",
            "refreshLogicalSessionCacheNow",
            "removeShard",
            "removeShardFromZone",
            "replSetGetRBID",
            "replSetHeartbeat",
            "replSetRequestVotes",
            "replSetSyncFrom",
            "replSetUpdatePosition",
            "revokePrivilegesFromRole",
            "revokeRolesFromRole",
            "rotateCertificates",
            "setShardVersion",
            "setWriteLockYielding",
            "shardCollection",
            "shardingState",
            "sleep",
            "split",
            "updateRole",
            "updateZoneKeyRange");

    /** For search indexes, which belong to a separate product. */
    static final Set<String> SEARCH =
            Set.of("createSearchIndexes", "dropSearchIndex", "listSearchIndexes", "updateSearchIndex");
}
