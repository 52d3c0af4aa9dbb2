package dev.semel.wire;

/**
 * An error as MongoDB's clients know it: a number and its symbolic name.
 *
 * <p>A record and not an enum, because MongoDB itself has an open set: every code without a symbolic name is called
 * {@code Location} and its number (see {@link #location}).
 */
public record ErrorCode(int number, String codeName) {
    public static final ErrorCode InternalError = new ErrorCode(1, "InternalError");
    public static final ErrorCode BadValue = new ErrorCode(2, "BadValue");
    public static final ErrorCode NoSuchKey = new ErrorCode(4, "NoSuchKey");
    public static final ErrorCode GraphContainsCycle = new ErrorCode(5, "GraphContainsCycle");
    public static final ErrorCode HostUnreachable = new ErrorCode(6, "HostUnreachable");
    public static final ErrorCode HostNotFound = new ErrorCode(7, "HostNotFound");
    public static final ErrorCode UnknownError = new ErrorCode(8, "UnknownError");
    public static final ErrorCode FailedToParse = new ErrorCode(9, "FailedToParse");
    public static final ErrorCode UserNotFound = new ErrorCode(11, "UserNotFound");
    public static final ErrorCode Unauthorized = new ErrorCode(13, "Unauthorized");
    public static final ErrorCode TypeMismatch = new ErrorCode(14, "TypeMismatch");
    public static final ErrorCode Overflow = new ErrorCode(15, "Overflow");
    public static final ErrorCode InvalidLength = new ErrorCode(16, "InvalidLength");
    public static final ErrorCode ProtocolError = new ErrorCode(17, "ProtocolError");
    public static final ErrorCode AuthenticationFailed = new ErrorCode(18, "AuthenticationFailed");
    public static final ErrorCode IllegalOperation = new ErrorCode(20, "IllegalOperation");
    public static final ErrorCode InvalidBSON = new ErrorCode(22, "InvalidBSON");
    public static final ErrorCode AlreadyInitialized = new ErrorCode(23, "AlreadyInitialized");
    public static final ErrorCode LockTimeout = new ErrorCode(24, "LockTimeout");
    public static final ErrorCode NamespaceNotFound = new ErrorCode(26, "NamespaceNotFound");
    public static final ErrorCode IndexNotFound = new ErrorCode(27, "IndexNotFound");
    public static final ErrorCode PathNotViable = new ErrorCode(28, "PathNotViable");
    public static final ErrorCode RoleNotFound = new ErrorCode(31, "RoleNotFound");
    public static final ErrorCode CannotBackfillArray = new ErrorCode(34, "CannotBackfillArray");
    public static final ErrorCode ConflictingUpdateOperators = new ErrorCode(40, "ConflictingUpdateOperators");
    public static final ErrorCode CursorNotFound = new ErrorCode(43, "CursorNotFound");
    public static final ErrorCode NamespaceExists = new ErrorCode(48, "NamespaceExists");
    public static final ErrorCode MaxTimeMSExpired = new ErrorCode(50, "MaxTimeMSExpired");
    public static final ErrorCode ManualInterventionRequired = new ErrorCode(51, "ManualInterventionRequired");
    public static final ErrorCode DollarPrefixedFieldName = new ErrorCode(52, "DollarPrefixedFieldName");
    public static final ErrorCode InvalidIdField = new ErrorCode(53, "InvalidIdField");
    public static final ErrorCode NotSingleValueField = new ErrorCode(54, "NotSingleValueField");
    public static final ErrorCode EmptyFieldName = new ErrorCode(56, "EmptyFieldName");
    public static final ErrorCode DottedFieldName = new ErrorCode(57, "DottedFieldName");
    public static final ErrorCode CommandNotFound = new ErrorCode(59, "CommandNotFound");
    public static final ErrorCode ShardKeyNotFound = new ErrorCode(61, "ShardKeyNotFound");
    public static final ErrorCode StaleShardVersion = new ErrorCode(63, "StaleShardVersion");
    public static final ErrorCode WriteConcernFailed = new ErrorCode(64, "WriteConcernFailed");
    public static final ErrorCode ImmutableField = new ErrorCode(66, "ImmutableField");
    public static final ErrorCode CannotCreateIndex = new ErrorCode(67, "CannotCreateIndex");
    public static final ErrorCode IndexAlreadyExists = new ErrorCode(68, "IndexAlreadyExists");
    public static final ErrorCode ShardNotFound = new ErrorCode(70, "ShardNotFound");
    public static final ErrorCode InvalidOptions = new ErrorCode(72, "InvalidOptions");
    public static final ErrorCode InvalidNamespace = new ErrorCode(73, "InvalidNamespace");
    public static final ErrorCode NodeNotFound = new ErrorCode(74, "NodeNotFound");
    public static final ErrorCode NoReplicationEnabled = new ErrorCode(76, "NoReplicationEnabled");
    public static final ErrorCode UnknownReplWriteConcern = new ErrorCode(79, "UnknownReplWriteConcern");
    public static final ErrorCode IndexOptionsConflict = new ErrorCode(85, "IndexOptionsConflict");
    public static final ErrorCode IndexKeySpecsConflict = new ErrorCode(86, "IndexKeySpecsConflict");
    public static final ErrorCode NetworkTimeout = new ErrorCode(89, "NetworkTimeout");
    public static final ErrorCode ShutdownInProgress = new ErrorCode(91, "ShutdownInProgress");
    public static final ErrorCode InvalidReplicaSetConfig = new ErrorCode(93, "InvalidReplicaSetConfig");
    public static final ErrorCode NotYetInitialized = new ErrorCode(94, "NotYetInitialized");
    public static final ErrorCode NotSecondary = new ErrorCode(95, "NotSecondary");
    public static final ErrorCode OperationFailed = new ErrorCode(96, "OperationFailed");
    public static final ErrorCode DBPathInUse = new ErrorCode(98, "DBPathInUse");
    public static final ErrorCode UnsatisfiableWriteConcern = new ErrorCode(100, "UnsatisfiableWriteConcern");
    public static final ErrorCode NewReplicaSetConfigurationIncompatible =
            new ErrorCode(103, "NewReplicaSetConfigurationIncompatible");
    public static final ErrorCode ConfigurationInProgress = new ErrorCode(109, "ConfigurationInProgress");
    public static final ErrorCode NotExactValueField = new ErrorCode(111, "NotExactValueField");
    public static final ErrorCode WriteConflict = new ErrorCode(112, "WriteConflict");
    public static final ErrorCode CommandNotSupported = new ErrorCode(115, "CommandNotSupported");
    public static final ErrorCode ConflictingOperationInProgress = new ErrorCode(117, "ConflictingOperationInProgress");
    public static final ErrorCode NamespaceNotSharded = new ErrorCode(118, "NamespaceNotSharded");
    public static final ErrorCode DocumentValidationFailure = new ErrorCode(121, "DocumentValidationFailure");
    public static final ErrorCode NotAReplicaSet = new ErrorCode(123, "NotAReplicaSet");
    public static final ErrorCode CommandFailed = new ErrorCode(125, "CommandFailed");
    public static final ErrorCode FailedToSatisfyReadPreference = new ErrorCode(133, "FailedToSatisfyReadPreference");
    public static final ErrorCode ReadConcernMajorityNotAvailableYet =
            new ErrorCode(134, "ReadConcernMajorityNotAvailableYet");
    public static final ErrorCode CappedPositionLost = new ErrorCode(136, "CappedPositionLost");
    public static final ErrorCode JSInterpreterFailure = new ErrorCode(139, "JSInterpreterFailure");
    public static final ErrorCode InvalidSSLConfiguration = new ErrorCode(140, "InvalidSSLConfiguration");
    public static final ErrorCode CursorInUse = new ErrorCode(143, "CursorInUse");
    public static final ErrorCode ExceededMemoryLimit = new ErrorCode(146, "ExceededMemoryLimit");
    public static final ErrorCode StaleEpoch = new ErrorCode(150, "StaleEpoch");
    public static final ErrorCode DurationOverflow = new ErrorCode(159, "DurationOverflow");
    public static final ErrorCode MaxStalenessOutOfRange = new ErrorCode(160, "MaxStalenessOutOfRange");
    public static final ErrorCode IncompatibleCollationVersion = new ErrorCode(161, "IncompatibleCollationVersion");
    public static final ErrorCode ViewDepthLimitExceeded = new ErrorCode(165, "ViewDepthLimitExceeded");
    public static final ErrorCode CommandNotSupportedOnView = new ErrorCode(166, "CommandNotSupportedOnView");
    public static final ErrorCode OptionNotSupportedOnView = new ErrorCode(167, "OptionNotSupportedOnView");
    public static final ErrorCode InvalidPipelineOperator = new ErrorCode(168, "InvalidPipelineOperator");
    public static final ErrorCode CannotIndexParallelArrays = new ErrorCode(171, "CannotIndexParallelArrays");
    public static final ErrorCode QueryPlanKilled = new ErrorCode(175, "QueryPlanKilled");
    public static final ErrorCode AmbiguousIndexKeyPattern = new ErrorCode(181, "AmbiguousIndexKeyPattern");
    public static final ErrorCode InvalidViewDefinition = new ErrorCode(182, "InvalidViewDefinition");
    public static final ErrorCode ClientMetadataAppNameTooLarge = new ErrorCode(184, "ClientMetadataAppNameTooLarge");
    public static final ErrorCode ClientMetadataDocumentTooLarge = new ErrorCode(185, "ClientMetadataDocumentTooLarge");
    public static final ErrorCode ClientMetadataCannotBeMutated = new ErrorCode(186, "ClientMetadataCannotBeMutated");
    public static final ErrorCode LinearizableReadConcernError = new ErrorCode(187, "LinearizableReadConcernError");
    public static final ErrorCode PrimarySteppedDown = new ErrorCode(189, "PrimarySteppedDown");
    public static final ErrorCode FailPointEnabled = new ErrorCode(192, "FailPointEnabled");
    public static final ErrorCode InvalidIndexSpecificationOption =
            new ErrorCode(197, "InvalidIndexSpecificationOption");
    public static final ErrorCode CannotBuildIndexKeys = new ErrorCode(201, "CannotBuildIndexKeys");
    public static final ErrorCode NoSuchSession = new ErrorCode(206, "NoSuchSession");
    public static final ErrorCode InvalidUUID = new ErrorCode(207, "InvalidUUID");
    public static final ErrorCode DuplicateSession = new ErrorCode(213, "DuplicateSession");
    public static final ErrorCode ElectionInProgress = new ErrorCode(216, "ElectionInProgress");
    public static final ErrorCode IncompleteTransactionHistory = new ErrorCode(217, "IncompleteTransactionHistory");
    public static final ErrorCode UpdateOperationFailed = new ErrorCode(218, "UpdateOperationFailed");
    public static final ErrorCode CloseChangeStream = new ErrorCode(222, "CloseChangeStream");
    public static final ErrorCode IllegalOpMsgFlag = new ErrorCode(223, "IllegalOpMsgFlag");
    public static final ErrorCode QueryFeatureNotAllowed = new ErrorCode(224, "QueryFeatureNotAllowed");
    public static final ErrorCode TransactionTooOld = new ErrorCode(225, "TransactionTooOld");
    public static final ErrorCode AtomicityFailure = new ErrorCode(226, "AtomicityFailure");
    public static final ErrorCode MaxSubPipelineDepthExceeded = new ErrorCode(232, "MaxSubPipelineDepthExceeded");
    public static final ErrorCode TooManyDocumentSequences = new ErrorCode(233, "TooManyDocumentSequences");
    public static final ErrorCode RetryChangeStream = new ErrorCode(234, "RetryChangeStream");
    public static final ErrorCode CursorKilled = new ErrorCode(237, "CursorKilled");
    public static final ErrorCode NotImplemented = new ErrorCode(238, "NotImplemented");
    public static final ErrorCode SnapshotTooOld = new ErrorCode(239, "SnapshotTooOld");
    public static final ErrorCode ConversionFailure = new ErrorCode(241, "ConversionFailure");
    public static final ErrorCode SnapshotUnavailable = new ErrorCode(246, "SnapshotUnavailable");
    public static final ErrorCode StaleDbVersion = new ErrorCode(249, "StaleDbVersion");
    public static final ErrorCode StaleChunkHistory = new ErrorCode(250, "StaleChunkHistory");
    public static final ErrorCode NoSuchTransaction = new ErrorCode(251, "NoSuchTransaction");
    public static final ErrorCode TransactionCommitted = new ErrorCode(256, "TransactionCommitted");
    public static final ErrorCode TransactionTooLarge = new ErrorCode(257, "TransactionTooLarge");
    public static final ErrorCode InvalidResumeToken = new ErrorCode(260, "InvalidResumeToken");
    public static final ErrorCode TooManyLogicalSessions = new ErrorCode(261, "TooManyLogicalSessions");
    public static final ErrorCode ExceededTimeLimit = new ErrorCode(262, "ExceededTimeLimit");
    public static final ErrorCode OperationNotSupportedInTransaction =
            new ErrorCode(263, "OperationNotSupportedInTransaction");
    public static final ErrorCode FailPointSetFailed = new ErrorCode(266, "FailPointSetFailed");
    public static final ErrorCode PreparedTransactionInProgress = new ErrorCode(267, "PreparedTransactionInProgress");
    public static final ErrorCode MigrationConflict = new ErrorCode(272, "MigrationConflict");
    public static final ErrorCode IndexBuildAborted = new ErrorCode(276, "IndexBuildAborted");
    public static final ErrorCode ClientDisconnect = new ErrorCode(279, "ClientDisconnect");
    public static final ErrorCode ChangeStreamFatalError = new ErrorCode(280, "ChangeStreamFatalError");
    public static final ErrorCode ChangeStreamHistoryLost = new ErrorCode(286, "ChangeStreamHistoryLost");
    public static final ErrorCode ChecksumMismatch = new ErrorCode(288, "ChecksumMismatch");
    public static final ErrorCode TransactionExceededLifetimeLimitSeconds =
            new ErrorCode(290, "TransactionExceededLifetimeLimitSeconds");
    public static final ErrorCode NoQueryExecutionPlans = new ErrorCode(291, "NoQueryExecutionPlans");
    public static final ErrorCode QueryExceededMemoryLimitNoDiskUseAllowed =
            new ErrorCode(292, "QueryExceededMemoryLimitNoDiskUseAllowed");
    public static final ErrorCode SplitHorizonChange = new ErrorCode(303, "SplitHorizonChange");
    public static final ErrorCode APIVersionError = new ErrorCode(322, "APIVersionError");
    public static final ErrorCode APIStrictError = new ErrorCode(323, "APIStrictError");
    public static final ErrorCode APIDeprecationError = new ErrorCode(324, "APIDeprecationError");
    public static final ErrorCode MechanismUnavailable = new ErrorCode(334, "MechanismUnavailable");
    public static final ErrorCode ChangeStreamInvalidated = new ErrorCode(346, "ChangeStreamInvalidated");
    public static final ErrorCode APIMismatchError = new ErrorCode(347, "APIMismatchError");
    public static final ErrorCode ChangeStreamTopologyChange = new ErrorCode(348, "ChangeStreamTopologyChange");
    public static final ErrorCode ChangeStreamStartAfterInvalidate =
            new ErrorCode(351, "ChangeStreamStartAfterInvalidate");
    public static final ErrorCode UnsupportedOpQueryCommand = new ErrorCode(352, "UnsupportedOpQueryCommand");
    public static final ErrorCode LoadBalancerSupportMismatch = new ErrorCode(354, "LoadBalancerSupportMismatch");
    public static final ErrorCode TxnRetryCounterTooOld = new ErrorCode(356, "TxnRetryCounterTooOld");
    public static final ErrorCode CannotConvertIndexToUnique = new ErrorCode(359, "CannotConvertIndexToUnique");
    public static final ErrorCode CollectionUUIDMismatch = new ErrorCode(361, "CollectionUUIDMismatch");
    public static final ErrorCode RetryableTransactionInProgress = new ErrorCode(363, "RetryableTransactionInProgress");
    public static final ErrorCode TemporarilyUnavailable = new ErrorCode(365, "TemporarilyUnavailable");
    public static final ErrorCode ChangeStreamNotEnabled = new ErrorCode(376, "ChangeStreamNotEnabled");
    public static final ErrorCode NonConformantBSON = new ErrorCode(378, "NonConformantBSON");
    public static final ErrorCode ReauthenticationRequired = new ErrorCode(391, "ReauthenticationRequired");
    public static final ErrorCode ResourceExhausted = new ErrorCode(402, "ResourceExhausted");
    public static final ErrorCode AdmissionQueueOverflow = new ErrorCode(433, "AdmissionQueueOverflow");
    public static final ErrorCode IngressRequestRateLimitExceeded =
            new ErrorCode(462, "IngressRequestRateLimitExceeded");
    public static final ErrorCode SocketException = new ErrorCode(9001, "SocketException");
    public static final ErrorCode CannotGrowDocumentInCappedNamespace =
            new ErrorCode(10003, "CannotGrowDocumentInCappedNamespace");
    public static final ErrorCode LegacyNotPrimary = new ErrorCode(10058, "LegacyNotPrimary");
    public static final ErrorCode NotWritablePrimary = new ErrorCode(10107, "NotWritablePrimary");
    public static final ErrorCode BSONObjectTooLarge = new ErrorCode(10334, "BSONObjectTooLarge");
    public static final ErrorCode DuplicateKey = new ErrorCode(11000, "DuplicateKey");
    public static final ErrorCode InterruptedAtShutdown = new ErrorCode(11600, "InterruptedAtShutdown");
    public static final ErrorCode Interrupted = new ErrorCode(11601, "Interrupted");
    public static final ErrorCode InterruptedDueToReplStateChange =
            new ErrorCode(11602, "InterruptedDueToReplStateChange");
    public static final ErrorCode BackgroundOperationInProgressForNamespace =
            new ErrorCode(12587, "BackgroundOperationInProgressForNamespace");
    public static final ErrorCode MergeStageNoMatchingDocument = new ErrorCode(13113, "MergeStageNoMatchingDocument");
    public static final ErrorCode DatabaseDifferCase = new ErrorCode(13297, "DatabaseDifferCase");
    public static final ErrorCode StaleConfig = new ErrorCode(13388, "StaleConfig");
    public static final ErrorCode NotPrimaryNoSecondaryOk = new ErrorCode(13435, "NotPrimaryNoSecondaryOk");
    public static final ErrorCode NotPrimaryOrSecondary = new ErrorCode(13436, "NotPrimaryOrSecondary");
    public static final ErrorCode OutOfDiskSpace = new ErrorCode(14031, "OutOfDiskSpace");
    public static final ErrorCode NamespaceCannotBeSharded = new ErrorCode(28769, "NamespaceCannotBeSharded");
    public static final ErrorCode SearchNotEnabled = new ErrorCode(31082, "SearchNotEnabled");
    public static final ErrorCode IDLDuplicateField = new ErrorCode(40413, "Location40413");
    public static final ErrorCode IDLFailedToParse = new ErrorCode(40414, "Location40414");
    public static final ErrorCode IDLUnknownField = new ErrorCode(40415, "Location40415");
    public static final ErrorCode ClientMarkedKilled = new ErrorCode(46841, "ClientMarkedKilled");
    public static final ErrorCode NotARetryableWriteCommand = new ErrorCode(50768, "NotARetryableWriteCommand");

    /** A code that has no symbolic name, such as 40324 for an unknown pipeline stage. */
    public static ErrorCode location(int number) {
        return new ErrorCode(number, "Location" + number);
    }
}
