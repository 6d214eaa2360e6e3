#include "workers.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

namespace leitong::server {

struct Workers::Inside {
  explicit Inside(unsigned threads) : pool(threads) {}
  boost::asio::thread_pool pool;
};

Workers::Workers(unsigned threads) : inside_(std::make_unique<Inside>(threads)) {}
Workers::~Workers() { inside_->pool.join(); }

void Workers::post(std::function<void()> work) { boost::asio::post(inside_->pool, std::move(work)); }

}  // namespace leitong::server
