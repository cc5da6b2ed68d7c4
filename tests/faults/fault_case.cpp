// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/fault_case.h"

#include "tests/support/places.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace binade::test {

namespace {

const std::string kFolder = BINADE_TEST_DATA "/faults";

std::string textOf(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + " is missing");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A list, or a single text.
std::vector<std::string> textsOf(const nlohmann::json& object, const char* field) {
  if (!object.contains(field)) return {};
  const nlohmann::json& value = object[field];
  if (value.is_string()) return {value.get<std::string>()};
  return value.get<std::vector<std::string>>();
}

}  // namespace

std::vector<FaultCase> faultCases() {
  std::vector<FaultCase> cases;
  for (const nlohmann::json& entry : nlohmann::json::parse(textOf(kFolder + "/faults.json"))) {
    const nlohmann::json& expect = entry.at("expect");
    FaultCase made;
    made.name = entry.at("name");
    made.title = entry.at("title");
    made.thread = entry.at("thread");
    made.reasons = textsOf(expect, "reason");
    made.reason = made.reasons.at(0);
    made.sites = textsOf(expect, "sites");
    made.shows = textsOf(expect, "shows");
    made.what = textsOf(expect, "what");
    made.also = textsOf(expect, "also");
    made.then = expect.value("then", std::string());
    made.fix = expect.value("fix", std::string());
    made.words = textsOf(expect, "words");
    made.never = textsOf(expect, "never");
    const std::string file = kFolder + "/runs/" + made.name + ".run.json";
    made.run = wire::parse_run(textOf(file), file, kFolder + "/runs");
    cases.push_back(std::move(made));
  }
  return cases;
}

}  // namespace binade::test
