-- For wrk: check-and-add, one text a request, each text once. LEITONG_TEXTS names a file with a JSON object a line, which is the
-- body of a request as it stands; each of LEITONG_THREADS takes its own part of them, and stops when they are answered.
local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds, nanoseconds; } leitong_time; int clock_gettime(int, leitong_time *);")
local now = ffi.new("leitong_time")
local function clock()
  ffi.C.clock_gettime(1, now)
  return tonumber(now.seconds) + tonumber(now.nanoseconds) / 1e9
end

local threads = {}

function setup(thread)
  thread:set("number", #threads)
  threads[#threads + 1] = thread
end

function init()
  requests, at, answered, first, last = {}, 0, 0, 0, 0
  wrk.headers["Content-Type"] = "application/json"
  local of, line_number = tonumber(os.getenv("LEITONG_THREADS")), 0
  for line in io.lines(os.getenv("LEITONG_TEXTS")) do
    if line_number % of == number then
      requests[#requests + 1] = wrk.format("POST", "/v1/indexes/default/check-and-add", nil, line)
    end
    line_number = line_number + 1
  end
end

-- What is sent beyond the texts, while the last ones are on their way, is known already, and its answers may come first.
function request()
  if at == 0 then first = clock() end
  at = math.min(at + 1, #requests)
  return requests[at]
end

function response()
  answered = answered + 1
  if answered >= #requests then
    last = clock()
    wrk.thread:stop()
  end
end

function done(summary, latency)
  local begun, ended, count, errors = math.huge, 0, 0, summary.errors
  for _, thread in ipairs(threads) do
    begun, ended = math.min(begun, thread:get("first")), math.max(ended, thread:get("last"))
    count = count + thread:get("answered")
  end
  io.write(string.format('{"texts": %d, "seconds": %.6f, "p50_ms": %.3f, "p99_ms": %.3f, "not_200": %d, "broken": %d}\n',
                         count, ended - begun, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
                         errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
