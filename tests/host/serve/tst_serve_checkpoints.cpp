// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/host/serve/serve.h"
#include "tests/host/serve/peer.h"
#include "tests/support/suite.h"

#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <thread>

using namespace binade;

namespace {

/// An engine in this process at the other end of a socket, greeted, with a run that goes on until it is stopped.
class Running {
 public:
  explicit Running(const std::string& folder) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) qFatal("no socket");
    peer = std::make_unique<test::Peer>(ends[0], ends[0]);
    thread_ = std::thread([end = ends[1]] {
      try {
        host::serve(end, end);
      } catch (const Error&) {
      }
      ::close(end);
    });
    wire::RunConfig config;
    config.model = "sample:mlp";
    config.data.inputs = {"float32[8,1,28,28]"};
    config.batch = 8;
    config.steps = 1'000'000'000;
    config.scaler.init_scale = 1024;
    config.observe.level = "off";
    config.checkpoint.folder = folder;
    started = peer->sayHello() && succeeded(peer->answer("run.start", wire::encode(wire::StartRun{config})));
  }

  ~Running() {
    peer->endInput();
    thread_.join();
  }

  static bool succeeded(const std::optional<wire::Response>& response) {
    return response && std::holds_alternative<nlohmann::json>(response->outcome);
  }

  /// The result of a request, or nothing where it failed.
  template <class Result>
  std::optional<Result> ask(const char* method, const nlohmann::json& params = nlohmann::json::object()) {
    const auto response = peer->answer(method, params);
    if (!succeeded(response)) return std::nullopt;
    return wire::decode<Result>(std::get<nlohmann::json>(response->outcome));
  }

  bool started = false;
  std::unique_ptr<test::Peer> peer;

 private:
  std::thread thread_;
};

}  // namespace

class ServeCheckpoints : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void oneIsSavedListedAndLoaded();
  void anEditCanBeUndoneWithTheTrainingSince();
  void theTrainedModelIsSaved();
  void aFileThatIsNoneIsRefusedAndTheRunGoesOn();
  void withoutAFolderThereIsNothingToSave();
  void aScalerIsTunedAndToldOf();
  void theEndOfInputKeepsALastOne();
};

void ServeCheckpoints::oneIsSavedListedAndLoaded() {
  const std::string folder = test::temporaryFolder().toStdString() + "/kept";
  Running run(folder);
  QVERIFY(run.started);
  const auto saved = run.ask<wire::CheckpointInfo>("checkpoint.save");
  QVERIFY(saved);
  QCOMPARE(saved->reason, std::string("request"));
  QVERIFY(std::filesystem::exists(saved->file));
  const auto tried =
      run.ask<wire::CheckpointInfo>("checkpoint.save", wire::encode(wire::SaveCheckpoint{std::string("try")}));
  QVERIFY(tried);
  QCOMPARE(tried->reason, std::string("try"));
  QVERIFY(std::filesystem::path(tried->file).filename().string().starts_with("try-"));
  std::filesystem::remove(tried->file);
  const auto refused =
      test::failureIn(run.peer->answer("checkpoint.save", wire::encode(wire::SaveCheckpoint{std::string("whim")})));
  QVERIFY(refused);
  QVERIFY2(refused->message.find("whim") != std::string::npos, refused->message.c_str());
  const auto list = run.ask<wire::CheckpointList>("checkpoint.list", wire::encode(wire::ListCheckpoints{folder}));
  QVERIFY(list);
  QCOMPARE(list->checkpoints.size(), std::size_t{1});
  QVERIFY(list->checkpoints.front() == *saved);
  QVERIFY(Running::succeeded(
      run.peer->answer("checkpoint.load", wire::encode(wire::LoadCheckpoint{saved->file, std::nullopt}))));
  QVERIFY(run.peer->waitFor("run.rewound"));
  QCOMPARE(run.peer->all<wire::Rewound>("run.rewound").front().step, saved->step);
}

void ServeCheckpoints::anEditCanBeUndoneWithTheTrainingSince() {
  Running run(test::temporaryFolder().toStdString() + "/kept");
  QVERIFY(run.started);
  wire::PolicySet edit{1, {}};
  edit.policy.ops["aten::linear"] = formats::kFloat32;
  QVERIFY(Running::succeeded(run.peer->answer("policy.set", wire::encode(edit))));
  QVERIFY(run.peer->waitFor("run.checkpoint"));
  const auto kept = run.peer->all<wire::CheckpointInfo>("run.checkpoint").front();
  QCOMPARE(kept.reason, std::string("edit"));
  QVERIFY(Running::succeeded(run.peer->answer(
      "checkpoint.load", wire::encode(wire::LoadCheckpoint{kept.file, wire::PolicySet{2, policy::Policy{}}}))));
  QVERIFY(run.peer->waitFor("run.rewound"));
  QCOMPARE(run.peer->all<wire::Rewound>("run.rewound").front().step, kept.step);
  QTRY_VERIFY(run.peer->all<wire::PolicyApplied>("policy.applied").size() == 2);
  const auto applied = run.peer->all<wire::PolicyApplied>("policy.applied").back();
  QCOMPARE(applied.revision, 2);
  QCOMPARE(applied.step, kept.step);
  QVERIFY(applied.policy == policy::Policy{});
}

void ServeCheckpoints::theTrainedModelIsSaved() {
  const std::string folder = test::temporaryFolder().toStdString();
  Running run(folder + "/kept");
  QVERIFY(run.started);
  const std::string file = folder + "/trained.pt";
  QVERIFY(Running::succeeded(run.peer->answer("model.save", wire::encode(wire::SaveModel{file}))));
  QVERIFY(std::filesystem::file_size(file) > 0);
  const auto failure =
      test::failureIn(run.peer->answer("model.save", wire::encode(wire::SaveModel{folder + "/none/trained.pt"})));
  QVERIFY(failure);
  QVERIFY2(failure->message.find("/none/") != std::string::npos, failure->message.c_str());
}

void ServeCheckpoints::aFileThatIsNoneIsRefusedAndTheRunGoesOn() {
  Running run(test::temporaryFolder().toStdString() + "/kept");
  QVERIFY(run.started);
  const auto failure = test::failureIn(run.peer->answer(
      "checkpoint.load", wire::encode(wire::LoadCheckpoint{test::temporaryFolder().toStdString() + "/none", {}})));
  QVERIFY(failure);
  QVERIFY(!failure->message.empty());
  QVERIFY(run.ask<wire::CheckpointInfo>("checkpoint.save"));
}

void ServeCheckpoints::withoutAFolderThereIsNothingToSave() {
  Running run("");
  QVERIFY(run.started);
  const auto failure = test::failureIn(run.peer->answer("checkpoint.save"));
  QVERIFY(failure);
  QCOMPARE(failure->message, std::string("This run keeps no checkpoints"));
}

void ServeCheckpoints::aScalerIsTunedAndToldOf() {
  Running run("");
  QVERIFY(run.started);
  wire::ScalerConfig scaler;
  scaler.growth_interval = 50;
  scaler.maximum = 4096;
  QVERIFY(Running::succeeded(run.peer->answer("scaler.tune", wire::encode(scaler))));
  QVERIFY(run.peer->waitFor("run.scaler"));
  const auto changed = run.peer->all<wire::ScalerChanged>("run.scaler").front();
  QCOMPARE(changed.scaler.growth_interval, std::int64_t{50});
  QCOMPARE(changed.scaler.maximum, 4096.0);
  scaler.growth_factor = 1;
  const auto failure = test::failureIn(run.peer->answer("scaler.tune", wire::encode(scaler)));
  QVERIFY(failure);
  QVERIFY2(failure->message.find("growth_factor must be above 1") != std::string::npos, failure->message.c_str());
}

void ServeCheckpoints::theEndOfInputKeepsALastOne() {
  const std::string folder = test::temporaryFolder().toStdString() + "/kept";
  {
    Running run(folder);
    QVERIFY(run.started);
    QVERIFY(run.peer->waitFor("run.steps"));
  }
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
  QCOMPARE(files, std::size_t{1});
}

BINADE_SUITE(ServeCheckpoints);
#include "tst_serve_checkpoints.moc"
