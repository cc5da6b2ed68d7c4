// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/exceptions.h"

#include "tests/support/places.h"

#include <QDebug>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace binade::test {

namespace {

/// `*` matches any characters.
bool matches(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t i = star; i <= text.size(); ++i) {
    if (matches(rest, text.substr(i))) return true;
  }
  return false;
}

}  // namespace

Exceptions::Exceptions(const std::string& check) {
  const std::string file = BINADE_TEST_DATA "/autocast/exceptions.csv";
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot open " + file);
  std::string line;
  std::getline(stream, line);  // check,rows,count,reason
  while (std::getline(stream, line)) {
    std::istringstream fields(line);
    std::string of;
    Group group;
    std::string count;
    std::getline(fields, of, ',');
    std::getline(fields, group.pattern, ',');
    std::getline(fields, count, ',');
    std::getline(fields, group.reason);
    if (of != check) continue;
    std::erase(group.reason, '"');
    group.count = std::stoi(count);
    groups_.push_back(group);
  }
}

bool Exceptions::excepts(const std::string& id) {
  for (Group& group : groups_) {
    if (!matches(group.pattern, id)) continue;
    ++group.seen;
    return true;
  }
  return false;
}

std::string Exceptions::counted() const {
  std::string wrong;
  for (const Group& group : groups_) {
    qInfo("excepted %4d rows %s: %s", group.seen, group.pattern.c_str(), group.reason.c_str());
    if (group.seen == group.count) continue;
    wrong += group.pattern + ": " + std::to_string(group.seen) + " rows, the table says " +
             std::to_string(group.count) + "; ";
  }
  return wrong;
}

int Exceptions::total() const {
  int total = 0;
  for (const Group& group : groups_) total += group.seen;
  return total;
}

}  // namespace binade::test
