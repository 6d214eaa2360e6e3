// What leitong uses of HBase's Thrift2 interface: methods and fields with the names and numbers that they have
// on the wire. Fields that are not named here are skipped where they come, and not sent.
namespace cpp leitong.hbase

struct TColumn {
  1: required binary family
  2: optional binary qualifier
  3: optional i64 timestamp
}

struct TColumnValue {
  1: required binary family
  2: required binary qualifier
  3: required binary value
}

struct TResult {
  1: optional binary row
  2: required list<TColumnValue> columnValues
}

struct TGet {
  1: required binary row
  2: optional list<TColumn> columns
  12: optional i32 storeLimit
}

struct TPut {
  1: required binary row
  2: required list<TColumnValue> columnValues
  3: optional i64 timestamp
}

enum TDeleteType {
  DELETE_COLUMNS = 1
}

struct TDelete {
  1: required binary row
  2: optional list<TColumn> columns
  4: optional TDeleteType deleteType
}

enum TReadType {
  PREAD = 3
}

struct TScan {
  1: optional binary startRow
  2: optional binary stopRow
  4: optional i32 caching
  14: optional TReadType readType
  15: optional i32 limit
}

struct THRegionInfo {
  1: required i64 regionId
  2: required binary tableName
  3: optional binary startKey
}

struct THRegionLocation {
  2: required THRegionInfo regionInfo
}

enum TBloomFilterType {
  ROWPREFIX_FIXED_LENGTH = 3
}

enum TDataBlockEncoding {
  FAST_DIFF = 4
}

struct TTableName {
  2: required binary qualifier
}

struct TColumnFamilyDescriptor {
  1: required binary name
  3: optional map<string, string> configuration
  4: optional i32 blockSize
  5: optional TBloomFilterType bloomnFilterType
  8: optional TDataBlockEncoding dataBlockEncoding
  10: optional i32 maxVersions
}

struct TTableDescriptor {
  1: required TTableName tableName
  2: optional list<TColumnFamilyDescriptor> columns
}

exception TIOError {
  1: optional string message
}

service HBase {
  list<TResult> getMultiple(1: required binary table, 2: required list<TGet> tgets) throws (1: TIOError io)
  void putMultiple(1: required binary table, 2: required list<TPut> tputs) throws (1: TIOError io)
  list<TDelete> deleteMultiple(1: required binary table, 2: required list<TDelete> tdeletes) throws (1: TIOError io)
  bool checkAndPut(1: required binary table, 2: required binary row, 3: required binary family,
                   4: required binary qualifier, 5: binary value, 6: required TPut tput) throws (1: TIOError io)
  list<TResult> getScannerResults(1: required binary table, 2: required TScan tscan, 3: i32 numRows) throws (1: TIOError io)
  list<THRegionLocation> getAllRegionLocations(1: required binary table) throws (1: TIOError io)
  void createTable(1: required TTableDescriptor desc, 2: list<binary> splitKeys) throws (1: TIOError io)
}
