// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/run_config.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/plain_readers.h"
#include "tests/support/places.h"

namespace binade::fuzz {

namespace {

const std::string kRunDescription = "input.run.json";
/// The folder that relative paths of a description start from. It has no policy.
const std::string kNowhere = "/nowhere";

std::string read_run_description(const std::string& bytes) {
  const wire::RunConfig read = wire::parse_run(bytes, kRunDescription, kNowhere);
  std::string text = wire::to_json(read);
  if (wire::parse_run(text, kRunDescription, kNowhere) != read) throw Fault("written and read, it differs: " + text);
  return text;
}

std::vector<std::string> valid_run_descriptions() {
  std::vector<std::string> all = read_folder(BINADE_TEST_DATA "/journeys", ".run.json");
  for (const char* name : {"demo", "everything", "files", "policy_by_name", "smallest", "training"}) {
    all.push_back(read_file(std::string(BINADE_TEST_DATA "/runs/good/") + name + ".json"));
  }
  return all;
}

}  // namespace

const Reader& run_description_reader() {
  static const Reader reader{"run_description",      ".run.json",          kRunDescription,
                             valid_run_descriptions, read_run_description, damaged_json};
  return reader;
}

int one_run_description(const std::uint8_t* data, std::size_t size) {
  return one(run_description_reader(), data, size);
}

}  // namespace binade::fuzz
