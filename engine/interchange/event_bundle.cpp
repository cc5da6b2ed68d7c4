// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/event_bundle.h"

#include "engine/formats/error.h"
#include "engine/interchange/new_path.h"
#include "engine/record/run_reader.h"
#include "engine/record/run_writer.h"
#include "engine/wire/codec.h"
#include "engine/wire/data_files.h"
#include "engine/words/event_text.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <variant>

namespace binade::interchange {

namespace {

/// What a run file holds about the events of one step.
struct Recorded {
  wire::RunStarted started;  ///< with the policy in force at the step
  std::vector<wire::Event> events;
  std::set<std::int64_t> others;  ///< steps with events
};

Recorded recorded_at(const std::string& run_file, const record::RunReader& reader, std::int64_t step) {
  Recorded found;
  std::optional<wire::RunStarted> started;
  wire::PolicyApplied policy;
  const auto take = [&](record::RunRecord&& record) {
    if (auto* first = std::get_if<wire::RunStarted>(&record)) {
      policy = first->policy;
      started = std::move(*first);
    } else if (auto* applied = std::get_if<wire::PolicyApplied>(&record)) {
      policy = std::move(*applied);
    } else if (const auto* rewound = std::get_if<wire::Rewound>(&record)) {
      if (rewound->step <= step) found.events.clear();  // they were undone
    } else if (auto* event = std::get_if<wire::Event>(&record)) {
      found.others.insert(event->step);
      if (event->step == step && started) {
        started->policy = policy;
        found.events.push_back(std::move(*event));
      }
    }
    return true;
  };
  reader.replay(take, 0, record::Statistics::kNone);
  if (found.events.empty() || !started) {
    std::string known;
    for (const std::int64_t each : found.others) {
      if (known.size() > 60) break;
      known += (known.empty() ? "" : ", ") + std::to_string(each);
    }
    throw Error(ErrorCode::kBadFile, run_file + ": step " + std::to_string(step) + " has no event",
                known.empty() ? "The run has no events." : "Steps with events: " + known + ".");
  }
  found.started = std::move(*started);
  return found;
}

/// Writes the folder of one event.
class BundleWriter {
 public:
  BundleWriter(const std::string& run_file, std::int64_t step, std::filesystem::path folder, bool data)
      : run_file_(run_file), step_(step), folder_(std::move(folder)), data_(data), reader_(run_file, damage_) {}

  EventBundle write() {
    Recorded recorded = recorded_at(run_file_, reader_, step_);
    take_state(recorded.events);
    describe(recorded.started);
    put("event.json", json_of(recorded));
    put("event.policy.json", policy::to_json(recorded.started.policy.policy));
    put("event.run.json", wire::to_json(recorded.started.config));
    write_run(recorded);
    put("README.txt", read_me(recorded));
    return std::move(bundle_);
  }

 private:
  void put(const std::string& name, const std::string& text) {
    NewFile file((folder_ / name).string());
    file.write(text);
    file.close();
    bundle_.files.push_back(name);
  }

  void copy(const std::filesystem::path& from, const std::string& name) {
    std::error_code error;
    std::filesystem::copy_file(from, folder_ / name, error);
    if (error) {
      throw Error(ErrorCode::kBadFile, from.string() + " cannot be copied: " + error.message(),
                  "Free some space, or choose another folder.");
    }
    bundle_.files.push_back(name);
  }

  /// Copies the state before the step under a name of its own, which the events then have.
  void take_state(std::vector<wire::Event>& events) {
    const std::string name = "event.step-" + std::to_string(step_) + ".safetensors";
    for (wire::Event& event : events) {
      if (!event.diagnosis || event.diagnosis->bundle.empty()) continue;
      const auto kept = std::filesystem::path(run_file_).parent_path() / event.diagnosis->bundle;
      std::error_code ignored;
      const bool there = std::filesystem::exists(kept, ignored);
      if (there && !bundle_.replayable) copy(kept, name);
      bundle_.replayable = bundle_.replayable || there;
      event.diagnosis->bundle = there ? name : std::string();
    }
  }

  /// Makes the configuration independent of this machine's folders, as far as it can be.
  void describe(wire::RunStarted& started) {
    wire::RunConfig& config = started.config;
    std::error_code ignored;
    const std::filesystem::path model(config.model);
    if (std::filesystem::is_regular_file(model, ignored)) {
      config.model = "model" + model.extension().string();
      copy(model, config.model);
    } else if (!config.model.starts_with("sample:")) {
      bundle_.needed.push_back(config.model);
    }
    if (bundle_.replayable) config.weights.clear();  // the state has them
    if (!config.weights.empty()) bundle_.needed.push_back(config.weights);
    if (data_) copy_data(config.data);
    if (!data_ && config.data.kind == "files")
      bundle_.needed.insert(bundle_.needed.end(), config.data.files.begin(), config.data.files.end());
    if (!data_ && config.data.kind == "idx") bundle_.needed.push_back(config.data.folder);
    config.policy = started.policy.policy;
    config.resume.clear();
    config.run_file.clear();
    config.checkpoint = {};
    started.run_file = "event.binade";
  }

  /// Copies the files of data, and makes the configuration name the copies.
  void copy_data(wire::DataConfig& data) {
    const std::vector<std::string> files = wire::data_files(data);
    const bool idx = data.kind == "idx";
    if (idx && files.empty()) {
      throw Error(ErrorCode::kBadFile, data.folder + " has no file that the run reads",
                  "Write the bundle without data.");
    }
    if (!files.empty()) std::filesystem::create_directory(folder_ / "data");
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::filesystem::path from(files[i]);
      // Files of two folders may have one name. Those of an IDX folder keep theirs, by which they are found.
      const std::string name = "data/" + (idx ? "" : std::to_string(i + 1) + "-") + from.filename().string();
      copy(from, name);
      if (!idx) data.files[i] = name;
    }
    if (idx) data.folder = "data";
  }

  std::string json_of(const Recorded& recorded) const {
    nlohmann::json events = nlohmann::json::array();
    for (const wire::Event& event : recorded.events) {
      nlohmann::json each = wire::encode(event);
      each["sentence"] = words::sentence_of(event, {recorded.started.model.sites, {}});
      events.push_back(std::move(each));
    }
    return events.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  void write_run(const Recorded& recorded) {
    record::RunWriter writer((folder_ / "event.binade").string());
    writer.add(recorded.started);
    if (auto record = reader_.step(step_)) writer.add(std::move(*record));
    for (const wire::Event& event : recorded.events) writer.add(event);
    wire::Finished finished;
    finished.outcome = wire::Outcome::kStopped;
    finished.steps = 1;
    finished.message = "One step of the run " + recorded.started.config.name + ".";
    writer.add(finished);
    writer.close();
    bundle_.files.emplace_back("event.binade");
  }

  /// What one process repeats of a step of several ranks.
  std::string of_ranks(const Recorded& recorded) const {
    const std::size_t ranks = recorded.started.ranks.size();
    if (ranks < 2) return {};
    std::string text = "\nThe run had " + std::to_string(ranks) + " ranks.";
    for (const wire::Event& event : recorded.events) {
      if (!event.rank) continue;
      text += " Rank " + std::to_string(*event.rank) + " caused this event.";
      if (bundle_.replayable) text += " The replay takes its part of the batch, and says where that cannot be equal.";
      break;
    }
    return text + " The training takes whole batches in one process.\n";
  }

  std::string read_me(const Recorded& recorded) const {
    const words::Names names{recorded.started.model.sites, {}};
    const std::string step = std::to_string(step_);
    std::string text = "Step " + step + " of the run " + recorded.started.config.name + ", recorded by Binade.\n\n";
    for (const wire::Event& event : recorded.events) {
      text += words::sentence_of(event, names) + "\n";
      if (const std::string why = words::explanation_of(event, names); !why.empty()) text += why + "\n";
    }
    text += "\nIn this folder:\n";
    if (bundle_.replayable) {
      text += "  binade-engine replay event.binade --step " + step + "\n";
      text += "  binade-engine train event.run.json --resume event.step-" + step + ".safetensors\n";
    } else {
      text += "  binade-engine train event.run.json\n\n";
      text += "The run kept no state before this step, so the training starts at its first step.\n";
    }
    text += of_ranks(recorded);
    text += "\nevent.json has every figure. event.policy.json is the policy in force at this step.\n";
    if (!bundle_.needed.empty()) {
      text += "\nThe training also reads these files, which are not in the folder. event.run.json names them:\n";
      for (const std::string& each : bundle_.needed) text += "  " + each + "\n";
    }
    text += "\nThe run was recorded with:\n";
    for (const auto& [key, value] : reader_.environment()) text += "  " + key + ": " + value + "\n";
    return text;
  }

  std::string run_file_;
  std::int64_t step_;
  std::filesystem::path folder_;
  bool data_;
  record::Damage damage_;
  record::RunReader reader_;
  EventBundle bundle_;
};

}  // namespace

EventBundle write_event_bundle(const std::string& run_file, std::int64_t step, const std::string& out, bool data) {
  NewPath path(out);
  std::filesystem::create_directory(path.temporary());
  EventBundle bundle = BundleWriter(run_file, step, path.temporary(), data).write();
  path.commit();
  return bundle;
}

}  // namespace binade::interchange
