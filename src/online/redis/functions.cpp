// The functions that run on the server, in Lua. Each is atomic: other clients see all of it or nothing.
//
// All keys of an index begin with leitong:{NAME}: and so are in one hash slot of a Cluster.
//   meta                      hash: the description of the index, the next number, counts
//   rows                      hash: number (4 bytes) -> row
//   ids, content              hashes: id, digest -> number
//   holders                   hash: slot -> number of its present representative, if it is not the first one
//   left                      list: for each of the latest removals the number that the next text had then,
//                             and the id; `left` of meta counts all of them
//   m:SLOT, c:SLOT            lists of numbers: members of a family, copies of a content
//   source:NAME, expiry       sorted sets of ids: by number, by expiry
//   s:TABLE:SEGMENT           of fingerprints. Packed layout: fingerprint and number, one after another
//                             sets: the fingerprints; the hash `numbers` has the numbers of each
//   p:LEVEL BUCKET            of texts: rest of a key and number of a text that posted it (4 bytes each), one
//                             posting after another; LEVEL is a digit
//   full, templates           of texts: full keys, and what was learned of shingles, in order of arrival
// A row: family and content slot (u32 each), verdict (0 new, 1 exact, 2 near), distance, length of the stamp
// (u8 each), the stamp, length of the label (u16), the label, further bytes of the client. A label: id and
// source (u16 and bytes each), further bytes of the client. A stamp: a byte with the bits 1, it has a
// fingerprint (8 or 16 bytes), and 2, it has a digest (16 bytes); then these. If texts are compared it is 0,
// followed by 14 bytes of the client and the text's record (20 bytes).
#include "online/redis/functions.hpp"

namespace leitong::online {

namespace {

constexpr std::string_view kAllHomes = R"lua(
-- Libraries cannot be used while functions are loaded, so the first call makes what all functions share.
local function list_as_arguments(...) return unpack(...) end
local call, pack, unpack, bxor, band, rshift, sub
local ones = {[0] = 0}
-- It changes after a restart, and when a replica replaces its master: both may have lost the latest writes.
local life
local function prepare()
  call, pack, unpack = redis.call, struct.pack, struct.unpack
  bxor, band, rshift, sub = bit.bxor, bit.band, bit.rshift, string.sub
  for i = 1, 65535 do ones[i] = ones[(i - i % 2) / 2] + i % 2 end
  life = table.concat(call('TIME'), '.')
end

-- Accepts only the index that the client opened, not one that was made again since.
local kGone = {err = 'LEITONG the index is gone, or was made anew since it was opened; open it again'}
local function is_gone(keys, history) return call('HGET', keys[1], 'history') ~= history end
local function count(x) return ones[band(x, 65535)] + ones[rshift(x, 16)] end

local function digest_of(stamp)
  if #stamp > 0 and string.byte(stamp) >= 2 then return string.sub(stamp, -16) end
end

-- Numbers have 4 bytes, the highest first, so that their order is that of arrival.
local function next_number(index)
  return pack('>I4', call('HINCRBY', index.prefix .. 'meta', 'next', 1) - 1)
end

local function parsed(bytes)
  local row, at = {}, nil
  row.family, row.content, row.verdict, row.distance, row.stamp, at = unpack('<c4c4BBBc0', bytes)
  row.rest = string.sub(bytes, at)
  row.label = unpack('<I2c0', row.rest)
  row.id, row.source = unpack('<I2c0I2c0', row.label)
  return row
end
local function read(index, number)
  local bytes = call('HGET', index.prefix .. 'rows', number)
  if bytes then return parsed(bytes) end
end
local function write(index, number, row)
  call('HSET', index.prefix .. 'rows', number,
       row.family .. row.content .. pack('BBB', row.verdict, row.distance, #row.stamp) .. row.stamp .. row.rest)
end

local function representative(index, slot) return call('HGET', index.prefix .. 'holders', slot) or slot end

local kCounts = {[0] = 'new', 'exact', 'near'}

-- keys: meta; args: names and values. Returns the description of the index, and makes it if it is missing and
-- may be made.
local function describe(keys, args)
  if call('EXISTS', keys[1]) == 0 then
    for i = 1, #args, 2 do call('HSET', keys[1], 'next', 0, args[i], args[i + 1]) end
  end
  return call('HGETALL', keys[1])
end

-- args: the numbers of texts and of removals from which to begin, the most of each, and the bytes after which
-- no more texts are returned. Returns the index's history; how many texts and removals there ever were; the
-- first removal that is known, and the first text that is not returned; removals; and texts in the form of `get`.
local function changes(keys, args)
  local prefix = sub(keys[1], 1, -5)
  local now = call('HMGET', keys[1], 'next', 'left', 'history')
  if not now[3] then return {err = 'LEITONG the index is gone; open it again'} end
  local next, left = tonumber(now[1]), tonumber(now[2] or 0)
  local text, removal = tonumber(args[1]), tonumber(args[2])
  local most, bytes = tonumber(args[3]), tonumber(args[4])
  local first = left - call('LLEN', prefix .. 'left')
  local removals = {}
  if most > 0 and removal >= first and removal < left then
    removals = call('LRANGE', prefix .. 'left', removal - first, removal - first + most - 1)
  end
  local numbers, last = {}, math.min(next, text + most)
  for number = text, last - 1 do numbers[#numbers + 1] = pack('>I4', number) end
  local rows, told = #numbers > 0 and call('HMGET', prefix .. 'rows', list_as_arguments(numbers)) or {}, {}
  local index, size = {prefix = prefix}, 0
  for i, row in ipairs(rows) do
    if row then
      if size >= bytes then
        last = text + i - 1
        break
      end
      size = size + #row
      local holds = representative(index, sub(row, 1, 4))
      local other = holds ~= numbers[i] and read(index, holds)
      told[#told + 1] = {numbers[i], row, other and other.id or ''}
    end
  end
  return {now[3], next, left, first, last, removals, told}
end

-- args: "ids" or "numbers", then these. Returns for each the number and the row, and the id of its
-- representative if it is another one; or nothing.
local function get(keys, args)
  local index, rows = {prefix = string.sub(keys[1], 1, -5)}, {}
  for i = 2, #args do
    local number = args[i]
    if args[1] == 'ids' then number = call('HGET', index.prefix .. 'ids', number) end
    local bytes = number and call('HGET', index.prefix .. 'rows', number)
    if bytes then
      local first = representative(index, string.sub(bytes, 1, 4))
      local other = first ~= number and read(index, first)
      rows[#rows + 1] = {number, bytes, other and other.id or ''}
    else
      rows[#rows + 1] = {}
    end
  end
  return rows
end

local function register(name, callback, flags)
  local function prepared(keys, args)
    if not pack then prepare() end
    return callback(keys, args)
  end
  redis.register_function{function_name = PREFIX .. name, callback = prepared, flags = flags}
end
register('describe', describe, {})
register('get', get, {'no-writes'})
register('changes', changes, {'no-writes'})
)lua";

constexpr std::string_view kFingerprints = R"lua(
-- "WIDTH|word:shift:bits+..|..": the bytes of a fingerprint, and for each table the bits of its keys.
local plans = {}
local function plan_of(text)
  if plans[text] then return plans[text] end
  local plan = {tables = {}}
  for part in string.gmatch(text, '[^|]+') do
    if not plan.width then
      plan.width = tonumber(part)
    else
      local pieces = {}
      for word, shift, bits in string.gmatch(part, '(%d+):(%d+):(%d+)') do
        pieces[#pieces + 1] = {tonumber(word) + 1, tonumber(shift), 2 ^ tonumber(bits) - 1}
      end
      plan.tables[#plan.tables + 1] = pieces
    end
  end
  plans[text] = plan
  return plan
end

local function words_of(fingerprint)
  local a, b = unpack('<I4I4', fingerprint)
  if #fingerprint == 8 then return {a, b} end
  local c, d = unpack('<I4I4', fingerprint, 9)
  return {a, b, c, d}
end

local function fingerprint_of(stamp, plan)
  if #stamp > 0 and string.byte(stamp) % 2 == 1 then return string.sub(stamp, 2, 1 + plan.width) end
end

-- The data of a function. args: the index's history, plan and layout, and others.
local function opened(keys, args)
  if is_gone(keys, args[1]) then return end
  return {prefix = string.sub(keys[1], 1, -5), plan = plan_of(args[2]), sets = args[3] == 'sets'}
end

local function segments(index, fingerprint)
  local words, names = words_of(fingerprint), {}
  for t, pieces in ipairs(index.plan.tables) do
    local name = index.prefix .. 's:' .. t .. ':'
    for _, piece in ipairs(pieces) do
      name = name .. pack('<I2', band(rshift(words[piece[1]], piece[2]), piece[3]))
    end
    names[t] = name
  end
  return names
end

local function differing(a, b)
  local bits = count(bxor(a[1], b[1])) + count(bxor(a[2], b[2]))
  if a[3] then bits = bits + count(bxor(a[3], b[3])) + count(bxor(a[4], b[4])) end
  return bits
end

-- Numbers of the texts that represent families and differ in at most so many bits, ascending; and these bits.
local function find(index, fingerprint, most)
  local width, query, found, seen = index.plan.width, words_of(fingerprint), {}, {}
  local a, b = query[1], query[2]
  for _, name in ipairs(segments(index, fingerprint)) do
    if index.sets then
      for _, other in ipairs(call('SMEMBERS', name)) do
        local bits = differing(query, words_of(other))
        if bits <= most and not seen[other] then
          seen[other] = true
          local numbers = call('HGET', index.prefix .. 'numbers', other) or ''
          for at = 1, #numbers, 4 do found[#found + 1] = {string.sub(numbers, at, at + 3), bits} end
        end
      end
    else
      local bucket = call('GET', name) or ''
      for at = 1, #bucket, width + 4 do
        local x, y = unpack('<I4I4', bucket, at)
        local bits = count(bxor(a, x)) + count(bxor(b, y))
        if width > 8 and bits <= most then
          local z, v = unpack('<I4I4', bucket, at + 8)
          bits = bits + count(bxor(query[3], z)) + count(bxor(query[4], v))
        end
        if bits <= most then
          local number = string.sub(bucket, at + width, at + width + 3)
          if not seen[number] then
            seen[number] = true
            found[#found + 1] = {number, bits}
          end
        end
      end
    end
  end
  -- Not compared as strings, whose order depends on the server's locale.
  for _, hit in ipairs(found) do hit[3] = (unpack('>I4', hit[1])) end
  table.sort(found, function(x, y) return x[3] < y[3] end)
  return found
end

local function post(index, fingerprint, number)
  if index.sets then
    local numbers = call('HGET', index.prefix .. 'numbers', fingerprint) or ''
    call('HSET', index.prefix .. 'numbers', fingerprint, numbers .. number)
  end
  for _, name in ipairs(segments(index, fingerprint)) do
    if index.sets then call('SADD', name, fingerprint) else call('APPEND', name, fingerprint .. number) end
  end
end

-- True if it is in each table.
local function is_posted(index, fingerprint, number)
  local entry = index.sets and number or fingerprint .. number
  local function holds(bytes)
    for at = 1, #bytes, #entry do
      if string.sub(bytes, at, at + #entry - 1) == entry then return true end
    end
    return false
  end
  if index.sets and not holds(call('HGET', index.prefix .. 'numbers', fingerprint) or '') then return false end
  for _, name in ipairs(segments(index, fingerprint)) do
    if index.sets then
      if call('SISMEMBER', name, fingerprint) == 0 then return false end
    elseif not holds(call('GET', name) or '') then
      return false
    end
  end
  return true
end

-- `bytes` without the entry of so many bytes that ends with `number`.
local function without(bytes, size, number)
  for at = 1, #bytes, size do
    if string.sub(bytes, at + size - 4, at + size - 1) == number then
      return string.sub(bytes, 1, at - 1) .. string.sub(bytes, at + size)
    end
  end
  return bytes
end

local function unpost(index, fingerprint, number)
  local left = ''
  if index.sets then
    left = without(call('HGET', index.prefix .. 'numbers', fingerprint) or '', 4, number)
    if left == '' then
      call('HDEL', index.prefix .. 'numbers', fingerprint)
    else
      call('HSET', index.prefix .. 'numbers', fingerprint, left)
    end
  end
  for _, name in ipairs(segments(index, fingerprint)) do
    if index.sets then
      if left == '' then call('SREM', name, fingerprint) end
    else
      local bucket = without(call('GET', name) or '', index.plan.width + 4, number)
      if bucket == '' then call('DEL', name) else call('SET', name, bucket) end
    end
  end
end

local function entry(distance, label) return pack('<BI2', distance, #label) .. label end

-- Returns the answer to a stamp, its match first; and the number of the match, with its row.
local function look_up(index, stamp, most, near, matches)
  local verdict, entries, match, row = 0, {}, nil, nil
  local digest, fingerprint = digest_of(stamp), fingerprint_of(stamp, index.plan)
  if digest then match = call('HGET', index.prefix .. 'content', digest) end
  if match then
    row = read(index, match)
    if row then
      verdict, entries[1] = 1, entry(0, row.label)
    else
      match = nil
    end
  end
  if not near or not fingerprint or (match and matches <= 1) then return verdict, entries, match, row end
  local others = {}
  for _, hit in ipairs(find(index, fingerprint, most)) do
    if hit[1] ~= match then
      local other = read(index, hit[1])
      if other and not match then
        verdict, match, row = 2, hit[1], other
        row.apart = hit[2]
        entries[1] = entry(hit[2], other.label)
      elseif other then
        others[#others + 1] = {hit[2], hit[3], other.label}
      end
    end
    if match and matches <= 1 then break end
  end
  table.sort(others, function(x, y) return x[1] < y[1] or (x[1] == y[1] and x[2] < y[2]) end)
  for i = 1, math.min(#others, matches - 1) do entries[#entries + 1] = entry(others[i][1], others[i][3]) end
  return verdict, entries, match, row
end

local function answer(verdict, known, entries)
  return pack('BBB', verdict, known, #entries) .. table.concat(entries)
end

local kRefused = 3

-- For a known text: the verdict of its first arrival, and the present representative of its family.
local function known_answer(index, number, stamp)
  local row = read(index, number)
  if not row or row.stamp ~= stamp then return answer(kRefused, 0, {}) end
  if row.verdict == 0 then return answer(0, 1, {}) end
  local match = representative(index, row.verdict == 1 and row.content or row.family)
  local other = match ~= number and read(index, match)
  if not other then return answer(row.verdict, 1, {}) end
  local distance = row.distance
  if row.verdict == 2 then
    distance = differing(words_of(fingerprint_of(stamp, index.plan)),
                         words_of(fingerprint_of(other.stamp, index.plan)))
  end
  return answer(row.verdict, 1, {entry(distance, other.label)})
end

local function add_one(index, stamp, rest, expires, most, near, matches)
  local label = unpack('<I2c0', rest)
  local id, source = unpack('<I2c0I2c0', label)
  local there = call('HGET', index.prefix .. 'ids', id)
  if there then return known_answer(index, there, stamp) end
  local verdict, entries, match, other = look_up(index, stamp, most, near, matches)
  local number = next_number(index)
  local row = {family = number, content = number, verdict = verdict, distance = other and other.apart or 0,
               stamp = stamp, rest = rest}
  if verdict > 0 then row.family = other.family end
  if verdict == 1 then
    row.content = other.content
    call('RPUSH', index.prefix .. 'c:' .. row.content, number)
  else
    if verdict == 2 then call('RPUSH', index.prefix .. 'm:' .. row.family, number) end
    local digest = digest_of(stamp)
    if digest then call('HSET', index.prefix .. 'content', digest, number) end
  end
  if verdict == 0 then
    local fingerprint = fingerprint_of(stamp, index.plan)
    if fingerprint then post(index, fingerprint, number) end
  end
  write(index, number, row)
  call('HSET', index.prefix .. 'ids', id, number)
  if source ~= '' then call('ZADD', index.prefix .. 'source:' .. source, unpack('>I4', number), id) end
  if expires ~= '' then call('ZADD', index.prefix .. 'expiry', expires, id) end
  call('HINCRBY', index.prefix .. 'meta', kCounts[verdict], 1)
  return answer(verdict, 0, entries)
end

-- args: those of opened(), distance, "near" or "copies", matches; then for each text the stamp, the rest of its
-- row, and the expiry.
local function add(keys, args)
  local index, answers = opened(keys, args), {}
  if not index then return kGone end
  for i = 7, #args, 3 do
    answers[#answers + 1] = add_one(index, args[i], args[i + 1], args[i + 2], tonumber(args[4]),
                                    args[5] == 'near', tonumber(args[6]))
  end
  return answers
end

-- The same args, then stamps.
local function check(keys, args)
  local index, answers = opened(keys, args), {}
  if not index then return kGone end
  for i = 7, #args do
    local verdict, entries = look_up(index, args[i], tonumber(args[4]), args[5] == 'near', tonumber(args[6]))
    answers[#answers + 1] = answer(verdict, 0, entries)
  end
  return answers
end

-- args: those of opened(), then numbers. Describes the fault of the first text that cannot be found correctly.
local function verify(keys, args)
  local index = opened(keys, args)
  if not index then return kGone end
  for i = 4, #args do
    local number = args[i]
    local row = read(index, number)
    if row then
      local fault
      if call('HGET', index.prefix .. 'ids', row.id) ~= number then fault = "isn't found by it" end
      local digest, fingerprint = digest_of(row.stamp), fingerprint_of(row.stamp, index.plan)
      local holds = representative(index, row.content) == number
      if holds and digest and call('HGET', index.prefix .. 'content', digest) ~= number then
        fault = "isn't found by its content"
      end
      if holds and fingerprint and representative(index, row.family) == number and
         not is_posted(index, fingerprint, number) then
        fault = "isn't found by its fingerprint"
      end
      if fault then return {row.id, fault} end
    end
  end
  return {}
end

register('add', add, {})
register('check', check, {'no-writes'})
register('verify', verify, {'no-writes'})
)lua";

}  // namespace

std::string redis_functions() {
  return std::string(kAllHomes)
      .append(kFingerprints)
      .append(kRedisTextFunctions)
      .append(kRedisRemovalFunctions);
}

}  // namespace leitong::online
