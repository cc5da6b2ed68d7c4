// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/policy.h"

#include "tests/fuzz/input_file.h"
#include "tests/fuzz/plain_readers.h"
#include "tests/support/places.h"

namespace binade::fuzz {

namespace {

const std::string kPolicyFile = "input.policy.json";

std::string read_policy(const std::string& bytes) {
  const policy::Policy read = policy::parse_policy(bytes, kPolicyFile);
  std::string text = policy::to_json(read);
  const policy::Policy again = policy::parse_policy(text, kPolicyFile);
  if (!(again == read) || again.provenance != read.provenance) throw Fault("written and read, it differs: " + text);
  return text;
}

std::vector<std::string> valid_policies() {
  return read_folder(BINADE_TEST_DATA "/policies/good", ".json");
}

}  // namespace

const Reader& policy_reader() {
  static const Reader reader{"policy", ".policy.json", kPolicyFile, valid_policies, read_policy, damaged_json};
  return reader;
}

int one_policy(const std::uint8_t* data, std::size_t size) {
  return one(policy_reader(), data, size);
}

}  // namespace binade::fuzz
