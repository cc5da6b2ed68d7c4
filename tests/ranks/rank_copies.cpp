// SPDX-License-Identifier: Apache-2.0
#include "tests/ranks/rank_copies.h"

#include "tests/support/ports.h"

#include <sys/wait.h>
#include <unistd.h>

#include <ATen/Parallel.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace binade::test {

namespace {

void writeAll(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

std::string readAll(int descriptor) {
  std::string text;
  std::array<char, 65536> part{};
  for (;;) {
    const ssize_t count = ::read(descriptor, part.data(), part.size());
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::vector<std::string> inCopies(int count, const std::function<std::string(int rank, int port)>& body) {
  const int port = freePort();
  std::vector<std::pair<pid_t, int>> copies;
  for (int rank = 0; rank < count; ++rank) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    const pid_t copy = ::fork();
    if (copy == 0) {
      ::close(ends[0]);
      at::set_num_threads(1);
      std::string text;
      try {
        text = body(rank, port);
      } catch (const std::exception& error) {
        text = std::string("error: ") + error.what();
      }
      writeAll(ends[1], text);
      ::_exit(0);  // the test goes on in the process that was copied
    }
    ::close(ends[1]);
    copies.emplace_back(copy, ends[0]);
  }
  std::vector<std::string> texts;
  for (const auto& [copy, end] : copies) {
    texts.push_back(readAll(end));
    ::close(end);
    ::waitpid(copy, nullptr, 0);
  }
  return texts;
}

std::vector<std::string> onRanks(int count, const Body& body, std::chrono::milliseconds timeout) {
  return inCopies(count, [&](int rank, int port) {
    if (count == 1) return body(nullptr);
    ranks::Place place;
    place.rank = rank;
    place.ranks = count;
    place.address = "127.0.0.1";
    place.port = port;
    const auto group = ranks::Group::join(place, timeout);
    try {
      std::string text = body(group.get());
      group->leave();
      return text;
    } catch (const std::exception& error) {
      group->fail(error.what());
      throw;
    }
  });
}

}  // namespace binade::test
