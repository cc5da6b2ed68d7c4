// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/large_stack.h"

#include <pthread.h>

#include <cstddef>
#include <exception>
#include <system_error>

namespace binade::graph {

namespace {

struct Work {
  const std::function<void()>& run;
  std::exception_ptr failed;
};

void* run_work(void* of) {
  auto& work = *static_cast<Work*>(of);
  try {
    work.run();
  } catch (...) {
    work.failed = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void with_large_stack(const std::function<void()>& work) {
  Work here{work, nullptr};
  pthread_t thread{};
  int failed = EAGAIN;
  // Smaller stacks are tried if the address space is limited.
  for (std::size_t size = std::size_t{1} << 30; failed == EAGAIN && size >= std::size_t{1} << 24; size /= 4) {
    pthread_attr_t attributes{};
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size);
    failed = pthread_create(&thread, &attributes, run_work, &here);
    pthread_attr_destroy(&attributes);
  }
  if (failed != 0) throw std::system_error(failed, std::generic_category(), "no thread could be started");
  pthread_join(thread, nullptr);
  if (here.failed) std::rethrow_exception(here.failed);
}

}  // namespace binade::graph
