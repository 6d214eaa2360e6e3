// The functions that remove texts. The client decides which text takes the place of each, as in every index
// (succession.hpp). `leaving` returns what it needs for this, and `remove` removes the texts if nothing of it
// has changed.
#include "online/redis/functions.hpp"

namespace leitong::online {

const std::string_view kRedisRemovalFunctions = R"lua(
-- For "id" the id; for "source" and "expired" so many texts of the source, or of those before the moment.
local function ids_of(index, what, which, most)
  -- The latest first, so that members leave before their representative.
  if what == 'source' then return call('ZRANGE', index.prefix .. 'source:' .. which, 0, most - 1, 'REV') end
  if what == 'expired' then
    return call('ZRANGE', index.prefix .. 'expiry', '-inf', '(' .. which, 'BYSCORE', 'LIMIT', 0, most)
  end
  return {which}
end

-- What decides who takes the place of a text: whether it represents its content, and its family (a byte each);
-- then the numbers of its first copy, and of the first other member of its family, or 0xFFFFFFFF.
local kNobody = '\255\255\255\255'
local function place_of(index, row, number)
  local holds, stands = representative(index, row.content) == number, representative(index, row.family) == number
  return pack('BB', holds and 1 or 0, stands and 1 or 0) ..
         (holds and call('LINDEX', index.prefix .. 'c:' .. row.content, 0) or kNobody) ..
         (stands and call('LINDEX', index.prefix .. 'm:' .. row.family, 0) or kNobody)
end

-- args: history, "id" | "source" | "expired", its value, and the most texts. Returns for each of these texts its
-- id, number, row and place, and the rows of the first copy and of the first other member.
local function leaving(keys, args)
  if is_gone(keys, args[1]) then return kGone end
  local index, texts = {prefix = sub(keys[1], 1, -5)}, {}
  local function row_of(number) return call('HGET', index.prefix .. 'rows', number) or '' end
  for _, id in ipairs(ids_of(index, args[2], args[3], args[4])) do
    local number = call('HGET', index.prefix .. 'ids', id)
    local bytes = number and row_of(number) or ''
    if bytes ~= '' then
      local place = place_of(index, parsed(bytes), number)
      texts[#texts + 1] = {id, number, bytes, place, row_of(sub(place, 3, 6)), row_of(sub(place, 7, 10))}
    end
  end
  return texts
end

local function bring_anew(index, old, row)
  local number = next_number(index)
  call('HDEL', index.prefix .. 'rows', old)
  call('HSET', index.prefix .. 'ids', row.id, number)
  call('HSET', index.prefix .. 'holders', row.content, number)
  local digest = digest_of(row.stamp)
  if digest then call('HSET', index.prefix .. 'content', digest, number) end
  if row.source ~= '' then
    call('ZADD', index.prefix .. 'source:' .. row.source, unpack('>I4', number), row.id)
  end
  write(index, number, row)
  return number
end

-- `stamp`: the successor's from now on; empty: as it is. `postings.leave(row, number, stands)` and
-- `postings.move(row, old, anew, stands)` change the entries by which the text and its successor are found.
local function remove_one(index, id, number, row, successor, copy, stamp, postings)
  call('RPUSH', index.prefix .. 'left', pack('>I4', call('HGET', index.prefix .. 'meta', 'next')) .. id)
  call('HINCRBY', index.prefix .. 'meta', 'left', 1)
  call('LTRIM', index.prefix .. 'left', -1000000, -1)
  call('HDEL', index.prefix .. 'ids', id)
  call('HDEL', index.prefix .. 'rows', number)
  call('ZREM', index.prefix .. 'expiry', id)
  if row.source ~= '' then call('ZREM', index.prefix .. 'source:' .. row.source, id) end
  call('HINCRBY', index.prefix .. 'meta', kCounts[row.verdict], -1)
  local copies, members = index.prefix .. 'c:' .. row.content, index.prefix .. 'm:' .. row.family
  if representative(index, row.content) ~= number then
    call('LREM', copies, 1, number)
    return
  end
  local stands = representative(index, row.family) == number
  if successor ~= '' then call('LPOP', copy and copies or members) end
  postings.leave(row, number, stands)
  if not copy then
    local digest = digest_of(row.stamp)
    if digest then call('HDEL', index.prefix .. 'content', digest) end
    call('HDEL', index.prefix .. 'holders', row.content)
  end
  if not stands then call('LREM', members, 1, number) end
  if successor == '' then
    if stands then call('HDEL', index.prefix .. 'holders', row.family) end
    return
  end
  local moved = read(index, successor)
  if stamp ~= '' then moved.stamp = stamp end
  local anew = bring_anew(index, successor, moved)
  if stands then
    call('HSET', index.prefix .. 'holders', row.family, anew)
  else
    call('RPUSH', members, anew)
  end
  postings.move(moved, successor, anew, stands)
end

-- args: history, plan and layout of fingerprints, and what to append to `full`; then for each text the id, the
-- number, the place that `leaving` told, the successor's number or nothing, and "copy" if it is one; and if texts
-- are compared, the keys of the text, the successor's stamp, its keys under its old number, and its keys to post.
-- Returns how many were removed: those whose place is still the same.
local function remove(keys, args)
  local index, removed, postings = opened(keys, args), 0, 0
  if not index then return kGone end
  append_learned(index, 'full', args[4])
  local first_texts = tonumber(call('HGET', keys[1], 'first_texts') or 0)
  for i = 5, #args, 9 do
    local id, number = args[i], args[i + 1]
    local row = call('HGET', index.prefix .. 'ids', id) == number and read(index, number)
    if row and place_of(index, row, number) == args[i + 2] then
      removed = removed + 1
      local function fingerprint(of, stands) return stands and fingerprint_of(of.stamp, index.plan) end
      remove_one(index, id, number, row, args[i + 3], args[i + 4] ~= '', args[i + 6], {
        leave = function(text, old, stands)
          local posted = fingerprint(text, stands)
          if posted then unpost(index, posted, old) end
          postings = postings - unpost_keys(index, first_texts, args[i + 5], old)
        end,
        move = function(text, old, anew, stands)
          local posted = fingerprint(text, stands)
          if posted then post(index, posted, anew) end
          postings = postings - unpost_keys(index, first_texts, args[i + 7], old) +
                     post_keys(index, level_of(unpack('>I4', anew), first_texts), args[i + 8], anew)
        end
      })
    end
  end
  if removed > 0 then
    if postings ~= 0 then call('HINCRBY', keys[1], 'postings', postings) end
    call('HINCRBY', keys[1], 'changes', 1)
    call('HINCRBY', keys[1], 'removals', 1)
  end
  return removed
end

register('leaving', leaving, {'no-writes'})
register('remove', remove, {'allow-oom'})
)lua";

}  // namespace leitong::online
