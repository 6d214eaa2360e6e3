// Replies of a Redis server: bytes that are no replies, and replies of the right form with any bytes in them.
// They are refused, or read without errors in memory, and no text appears that the index cannot have.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "online/label_bytes.hpp"
#include "online/redis/address.hpp"
#include "online/redis/excerpt.hpp"
#include "online/redis/reply.hpp"
#include "online/redis/row_bytes.hpp"
#include "online/text_codec.hpp"
#include "require.hpp"
#include "seeds.hpp"

LEITONG_FUZZ_SEEDS(std::string_view("r*2\r\n$3\r\nabc\r\n*2\r\n:-7\r\n$-1\r\n-ERR no\r\n"),
                   std::string_view("r*100000000\r\n*100000000\r\n"),
                   std::string_view("aredis://a%40:b@h:1,g/n?layout=sets"),
                   std::string_view("e\x09\x10\x01\0\0\0\x02\0\0\0\x03\x09rows", 17))

namespace {

using namespace leitong;
using namespace leitong::online;

/// Takes bytes from the front; nothing if there are none left.
std::string_view take_some(std::string_view& bytes) {
  if (bytes.empty()) return {};
  const std::size_t size = std::min<std::size_t>(static_cast<unsigned char>(bytes[0]), bytes.size() - 1);
  const std::string_view some = bytes.substr(1, size);
  bytes.remove_prefix(1 + size);
  return some;
}

void read_replies(std::string_view bytes) {
  RedisReplyReader reader;
  while (!bytes.empty()) {
    // In pieces, as they come from a network.
    const std::size_t size =
        std::min<std::size_t>(bytes.size(), 1 + static_cast<unsigned char>(bytes[0]) % 32);
    reader.feed(bytes.substr(0, size));
    bytes.remove_prefix(size);
    for (;;) {
      const auto reply = reader.next();
      if (!reply) return require(!reader.next());
      if (!*reply) break;
    }
  }
}

RedisReply text(std::string_view bytes) {
  RedisReply reply;
  reply.kind = RedisReply::Kind::text;
  reply.text = bytes;
  return reply;
}

RedisReply list(std::vector<RedisReply> parts) {
  RedisReply reply;
  reply.kind = RedisReply::Kind::list;
  reply.list = std::move(parts);
  return reply;
}

/// An excerpt of what a server with this index might say.
void read_excerpt(std::string_view bytes) {
  static RedisLink link({.servers = {{"host"}}, .name = "i"}, nullptr, {}, StopToken());
  RedisKnown known;
  RedisExcerpt excerpt(link, known, "made");
  const std::vector<Key> keys = {0, 1, Key{1} << 30, (Key{1} << kKeyBits) - 1};
  const std::vector<TextNumber> numbers = {0, 1, 200};
  {
    RedisExcerpt::Asking asking(excerpt);
    for (const TextNumber number : numbers) {
      Row row;
      require(!asking.read(number, row).value() && asking.representative(number) == number);
      require(asking.record(number).has_value());
    }
    require(asking.lacked());
  }
  excerpt.want(keys, "id");
  const std::vector<RedisCommand> asked = excerpt.commands();
  const std::string next = std::to_string(bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]));
  std::vector<RedisReply> replies = {list({text("made"), text("1"), text("0"), text(next)})};
  while (replies.size() < asked.size() - 1) {
    const RedisCommand& command = asked[replies.size()];
    if (command[0] == "GETRANGE" || command[0] == "FCALL_RO") {
      replies.push_back(text(take_some(bytes)));
      continue;
    }
    std::vector<RedisReply> parts;
    for (std::size_t i = command[0] == "MGET" ? 1 : 2; i < command.size(); ++i)
      parts.push_back(text(take_some(bytes)));
    replies.push_back(list(std::move(parts)));
  }
  replies.push_back(text("made"));
  if (const auto taken = excerpt.take(replies); !taken) return require(!taken.error().message.empty());

  const std::shared_lock lock(known.mutex);
  RedisExcerpt::Asking asking(excerpt);
  PostingLists lists;
  const std::vector<std::uint32_t> most(keys.size(), 8);
  require(asking.find_lists(keys, most, nullptr, lists).has_value() && lists.ends.size() == keys.size());
  for (const TextNumber number : lists.texts) require(number < excerpt.next());
  for (const Key key : keys) require(excerpt.seen_bytes(key) % 8 == 0);
  if (const auto id = asking.find("id").value()) require(*id < excerpt.next());
  TextCodec codec;
  for (const TextNumber number : numbers) {
    Row row;
    std::string whole;
    const auto there = asking.read(number, row);
    if (there && *there && codec.unpack(row.packed, row.text_bytes, whole))
      require(whole.size() == row.text_bytes);
  }
  require(!asking.lacked());
}

void read_row(std::string_view bytes) {
  for (const std::size_t width : {std::size_t{0}, std::size_t{8}, std::size_t{16}}) {
    Row row;
    if (unpack_redis_row(bytes, width, row)) require(row.id.size() + row.packed.size() <= bytes.size());
  }
  Label label;
  (void)take_label(bytes, label);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'r':
      read_replies(bytes);
      break;
    case 'e':
      read_excerpt(bytes);
      break;
    case 'a':
      (void)parse_redis_address(bytes);
      break;
    default:
      read_row(bytes);
  }
  return 0;
}
