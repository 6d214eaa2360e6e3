// The functions of indexes that compare texts. The client decides, by the same code as an index in a folder:
// it fetches what it needs (`excerpt`), works out what a batch adds, and hands that in (`add_texts`), with
// the lists that its answers depend on. The server takes all of it, or nothing if one of these has changed
// since.
//
// A key is 7 bytes: the bucket (3), and the field in it (4).
#include "online/redis/functions.hpp"

namespace leitong::online {

const std::string_view kRedisTextFunctions = R"lua(
-- Only the index that the client opened: not one that was made anew since.
local function texts_of(keys, made)
  if call('HGET', keys[1], 'made') == made then return {prefix = sub(keys[1], 1, -5)} end
end
local kGone = {err = 'LEITONG the index is gone, or was made anew since it was opened; open it again'}

local function lists_of(index, wanted)
  local parts, bucket = {}, index.prefix .. 'p:'
  for at = 1, #wanted, 7 do
    local list = call('HGET', bucket .. sub(wanted, at, at + 2), sub(wanted, at + 3, at + 6))
    parts[#parts + 1] = list and pack('<I2', #list / 4) .. list or '\0\0'
  end
  return table.concat(parts)
end

local function rows_of(index, numbers)
  local fields = {}
  for at = 1, #numbers, 4 do fields[#fields + 1] = sub(numbers, at, at + 3) end
  if #fields == 0 then return fields end
  return call('HMGET', index.prefix .. 'rows', list_as_arguments(fields))
end

-- Of each number the record, or zeros where there is no such text.
local function records_of(index, numbers)
  local records = rows_of(index, numbers)
  for i, row in ipairs(records) do records[i] = row and sub(row, 27, 46) or string.rep('\0', 20) end
  return table.concat(records)
end

-- args: made; bytes that are known of `full` and of `templates`; keys, numbers whose records are wanted, numbers
-- whose rows are, and seats, one after another each; then ids.
local function excerpt(keys, args)
  local index = texts_of(keys, args[1])
  if not index then return kGone end
  local prefix, holders, numbers = index.prefix, {}, {}
  for at = 1, #args[7], 4 do holders[#holders + 1] = holder(index, sub(args[7], at, at + 3)) end
  for i = 8, #args do numbers[#numbers + 1] = call('HGET', prefix .. 'ids', args[i]) or '' end
  return {call('HMGET', keys[1], 'changes', 'removals', 'next'), call('GETRANGE', prefix .. 'full', args[2], -1),
          call('GETRANGE', prefix .. 'templates', args[3], -1), lists_of(index, args[4]),
          records_of(index, args[5]), rows_of(index, args[6]), table.concat(holders), numbers}
end

-- watched: keys with the number of their texts (2 bytes each), one after another.
local function unchanged(index, watched)
  local bucket = index.prefix .. 'p:'
  for at = 1, #watched, 9 do
    local size = call('HSTRLEN', bucket .. sub(watched, at, at + 2), sub(watched, at + 3, at + 6))
    if size ~= 4 * unpack('<I2', watched, at + 7) then return false end
  end
  return true
end

-- `anew`: keys that nobody has.
local function post_keys(index, posted, number, anew)
  local bucket = index.prefix .. 'p:'
  for at = 1, #posted, 7 do
    local name, field = bucket .. sub(posted, at, at + 2), sub(posted, at + 3, at + 6)
    local list = not anew and call('HGET', name, field) or ''
    call('HSET', name, field, list .. number)
  end
end

local function unpost_keys(index, posted, number)
  local bucket = index.prefix .. 'p:'
  for at = 1, #posted, 7 do
    local name, field = bucket .. sub(posted, at, at + 2), sub(posted, at + 3, at + 6)
    local list = call('HGET', name, field)
    local left = list and without(list, 4, number)
    if left == '' then
      call('HDEL', name, field)
    elseif left and left ~= list then
      call('HSET', name, field, left)
    end
  end
end

-- args: made; changes, removals and bytes of `templates` when the excerpt was made; the number that the client
-- gave to its first text; what to append to `full` and to `templates`; then of each text the row, its expiry,
-- keys to post that nobody has, other keys to post, and what its answer depends on. 1 if all of it was taken, 0
-- if the excerpt is out of date.
local function add_texts(keys, args)
  local index = texts_of(keys, args[1])
  if not index then return kGone end
  local meta, prefix = keys[1], index.prefix
  local now = call('HMGET', meta, 'changes', 'removals', 'next')
  if now[1] ~= args[2] then
    if now[2] ~= args[3] or call('STRLEN', prefix .. 'templates') ~= tonumber(args[4]) then return 0 end
    for i = 8, #args, 5 do
      local id = parsed(args[i]).id
      if call('HEXISTS', prefix .. 'ids', id) == 1 or not unchanged(index, args[i + 4]) then return 0 end
    end
  end
  if args[6] ~= '' then call('APPEND', prefix .. 'full', args[6]) end
  if args[7] ~= '' then call('APPEND', prefix .. 'templates', args[7]) end
  local first, next = tonumber(args[5]), tonumber(now[3])
  -- Others may have taken the numbers meanwhile.
  local function seat(bytes)
    local number = unpack('>I4', bytes)
    return number < first and bytes or pack('>I4', number - first + next)
  end
  local rows, ids, counts, taken = {}, {}, {[0] = 0, 0, 0}, next
  for i = 8, #args, 5 do
    local number, row = pack('>I4', taken), parsed(args[i])
    local family, content = seat(row.family), seat(row.content)
    taken = taken + 1
    rows[#rows + 1] = number
    rows[#rows + 1] = family .. content .. sub(args[i], 9)
    ids[#ids + 1] = row.id
    ids[#ids + 1] = number
    counts[row.verdict] = counts[row.verdict] + 1
    if row.verdict == 1 then call('RPUSH', prefix .. 'c:' .. content, number) end
    if row.verdict == 2 then call('RPUSH', prefix .. 'm:' .. family, number) end
    post_keys(index, args[i + 2], number, true)
    post_keys(index, args[i + 3], number, false)
    if row.source ~= '' then call('ZADD', prefix .. 'source:' .. row.source, taken - 1, row.id) end
    if args[i + 1] ~= '' then call('ZADD', prefix .. 'expiry', args[i + 1], row.id) end
  end
  call('HSET', prefix .. 'rows', list_as_arguments(rows))
  call('HSET', prefix .. 'ids', list_as_arguments(ids))
  call('HSET', meta, 'next', taken, 'changes', now[1] + 1)
  for verdict, count in pairs(counts) do
    if count > 0 then call('HINCRBY', meta, kCounts[verdict], count) end
  end
  return 1
end

-- args: made, "id" | "source" | "expired", which, and how many at most. Of each of these texts its id, number
-- and row; bytes that say whether it stands for its content, for its family, and whether its heir is a copy;
-- and the heir's number and row, if there is one.
local function leaving(keys, args)
  local index, texts = texts_of(keys, args[1]), {}
  if not index then return kGone end
  for _, id in ipairs(ids_of(index, args[2], args[3], args[4])) do
    local number = call('HGET', index.prefix .. 'ids', id)
    local bytes = number and call('HGET', index.prefix .. 'rows', number)
    if bytes then
      local row = parsed(bytes)
      local holds, stands = holder(index, row.content) == number, holder(index, row.family) == number
      local heir, copy
      if holds then heir, copy = heir_of(index, row, number) end
      texts[#texts + 1] = {id, number, bytes, pack('BBB', holds and 1 or 0, stands and 1 or 0, copy and 1 or 0),
                           heir or '', heir and call('HGET', index.prefix .. 'rows', heir) or ''}
    end
  end
  return texts
end

-- args: made, what to append to `full`; then of each text id, number, the heir's number, keys of the text, and
-- the heir's stamp, keys under its old number and keys to post. How many were removed: those that `leaving` said
-- the same of now.
local function remove_texts(keys, args)
  local index, removed = texts_of(keys, args[1]), 0
  if not index then return kGone end
  if args[2] ~= '' then call('APPEND', index.prefix .. 'full', args[2]) end
  for i = 3, #args, 7 do
    local id, number, told = args[i], args[i + 1], args[i + 2]
    local row = call('HGET', index.prefix .. 'ids', id) == number and read(index, number)
    local heir
    if row and holder(index, row.content) == number then heir = heir_of(index, row, number) end
    if row and (heir or '') == told then
      removed = removed + remove_one(index, id, {
        stamp = args[i + 4] ~= '' and args[i + 4],
        leave = function() unpost_keys(index, args[i + 3], number) end,
        move = function(_, old, anew)
          unpost_keys(index, args[i + 5], old)
          post_keys(index, args[i + 6], anew, false)
        end
      })
    end
  end
  if removed > 0 then
    call('HINCRBY', keys[1], 'changes', 1)
    call('HINCRBY', keys[1], 'removals', 1)
  end
  return removed
end

register('excerpt', excerpt, {'no-writes'})
register('add_texts', add_texts, {})
register('leaving', leaving, {'no-writes'})
register('remove_texts', remove_texts, {'allow-oom'})
)lua";

}  // namespace leitong::online
