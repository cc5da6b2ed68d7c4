// SPDX-License-Identifier: Apache-2.0
// The requests of an engine client: their methods, params, answers and time-outs.
#include "app/session/engine_client.h"
#include "engine/formats/error.h"
#include "engine/wire/codec.h"

#include <utility>

namespace binade::app {

namespace {

constexpr std::chrono::milliseconds kLoadingLimit{120000};  // time for a large model on a slow disk

}  // namespace

template <class Value>
void EngineClient::valueRequest(const char* method, nlohmann::json params,
                                std::function<void(const std::variant<Value, Problem>&)> done,
                                std::optional<wire::RunGate> gate) {
  const auto take = [this, method, done = std::move(done), gate = std::move(gate)](const Answer& answer) mutable {
    if (const auto* problem = std::get_if<Problem>(&answer)) return done(*problem);
    std::variant<Value, Problem> value;
    try {
      value = wire::decode<Value>(std::get<nlohmann::json>(answer));
      at_gate_ = method;
      // Only values that belong to a run have a gate.
      if constexpr (requires(wire::RunGate & checks, Value & checked) { checks.admit(checked); }) {
        if (!(gate ? *gate : gate_).admit(std::get<Value>(value))) {
          value =
              Problem{tr("The engine's response to %1 is not valid. The log has details.").arg(QLatin1String(method)),
                      tr("Install explorer and engine of the same version.")};
        }
      }
    } catch (const Error& error) {
      value = Problem{tr("The engine's response could not be read: %1").arg(QString::fromUtf8(error.what())), {}};
    }
    done(value);
  };
  request(method, std::move(params), kLoadingLimit, take);
}

void EngineClient::inspect(const QString& file, Inspected done) {
  valueRequest<wire::ModelInfo>("model.inspect", wire::encode(wire::InspectModel{file.toStdString()}), std::move(done));
}

void EngineClient::trustModel(const QString& file, const QString& sha256, Done done) {
  plainRequest("model.trust", wire::encode(wire::TrustModel{file.toStdString(), sha256.toStdString()}), kLoadingLimit,
               std::move(done));
}

void EngineClient::listTrustedModels(TrustListed done) {
  valueRequest<wire::TrustedModels>("model.trusted", nlohmann::json::object(), std::move(done));
}

void EngineClient::endTrust(const QString& sha256, TrustListed done) {
  valueRequest<wire::TrustedModels>("model.untrust", wire::encode(wire::EndTrust{sha256.toStdString()}),
                                    std::move(done));
}

void EngineClient::previewData(const wire::RunConfig& config, Previewed done) {
  valueRequest<wire::DataPreview>("data.preview", wire::encode(wire::PreviewData{config}), std::move(done));
}

void EngineClient::listArrays(const std::vector<std::string>& files, Listed done) {
  valueRequest<wire::DataArrays>("data.arrays", wire::encode(wire::ListArrays{files}), std::move(done));
}

void EngineClient::listFolder(const QString& path, bool hidden, FolderListed done) {
  valueRequest<wire::FolderList>("folder.list", wire::encode(wire::ListFolder{path.toStdString(), hidden}),
                                 std::move(done));
}

void EngineClient::readFile(const wire::ReadFile& part, PartRead done) {
  valueRequest<wire::FilePart>("file.read", wire::encode(part), std::move(done));
}

// The notification `attach.peers` has the same content as the answer, for all explorers.
void EngineClient::takeEditing(Done done) {
  plainRequest("attach.take", nlohmann::json::object(), answer_limit_, std::move(done));
}

void EngineClient::releaseEditing(Done done) {
  plainRequest("attach.release", nlohmann::json::object(), answer_limit_, std::move(done));
}

void EngineClient::tuneScaler(const wire::ScalerConfig& scaler, Done done) {
  plainRequest("scaler.tune", wire::encode(scaler), answer_limit_, std::move(done));
}

void EngineClient::saveCheckpoint(Saved done) {
  valueRequest<wire::CheckpointInfo>("checkpoint.save", nlohmann::json::object(), std::move(done));
}

void EngineClient::saveCheckpointForTry(Saved done) {
  valueRequest<wire::CheckpointInfo>("checkpoint.save", wire::encode(wire::SaveCheckpoint{"try"}), std::move(done));
}

void EngineClient::saveModel(const QString& file, const std::optional<wire::RunConfig>& ended, Done done) {
  nlohmann::json params = wire::encode(wire::SaveModel{file.toStdString()});
  if (ended) params.update(wire::encode(wire::StartRun{*ended}));
  plainRequest("model.save", std::move(params), kLoadingLimit, std::move(done));
}

void EngineClient::loadCheckpoint(const std::string& file, Done done) {
  plainRequest("checkpoint.load", wire::encode(wire::LoadCheckpoint{file, std::nullopt}), kLoadingLimit,
               std::move(done));
}

void EngineClient::startRun(const wire::RunConfig& config, Done done) {
  plainRequest("run.start", wire::encode(wire::StartRun{config}), kLoadingLimit, std::move(done));
}

void EngineClient::startDemo(Done done) {
  plainRequest("run.demo", nlohmann::json::object(), kLoadingLimit, std::move(done));
}

void EngineClient::pause(Done done) {
  plainRequest("run.pause", nlohmann::json::object(), answer_limit_, std::move(done));
}

void EngineClient::resume(Done done) {
  plainRequest("run.resume", nlohmann::json::object(), answer_limit_, std::move(done));
}

void EngineClient::step(Done done) {
  plainRequest("run.step", nlohmann::json::object(), answer_limit_, std::move(done));
}

void EngineClient::stop(Done done) {
  plainRequest("run.stop", nlohmann::json::object(), answer_limit_, std::move(done));
}

void EngineClient::setPolicy(const policy::Policy& policy, int revision, Done done) {
  plainRequest("policy.set", wire::encode(wire::PolicySet{revision, policy}), answer_limit_, std::move(done));
}

void EngineClient::setScale(double scale, const std::string& id, Done done) {
  plainRequest("scaler.set", wire::encode(wire::SetScale{scale, id}), answer_limit_, std::move(done));
}

void EngineClient::setObserve(const wire::ObserveConfig& observe, Done done) {
  plainRequest("observe.set", wire::encode(observe), answer_limit_, std::move(done));
}

void EngineClient::setProfile(const wire::ProfileConfig& profile, Done done) {
  plainRequest("profiler.set", wire::encode(profile), answer_limit_, std::move(done));
}

void EngineClient::compareWithFloat32(const std::optional<wire::RunConfig>& ended, std::size_t sites, Compared done) {
  nlohmann::json params = ended ? wire::encode(wire::StartRun{*ended}) : nlohmann::json::object();
  wire::RunGate gate([this](const wire::Misfit& misfit) { reportMisfit(misfit); });
  gate.open(sites);
  valueRequest<wire::Float32Comparison>("observe.compare", std::move(params), std::move(done), std::move(gate));
}

void EngineClient::measureSavings(const policy::Policy& policy, const std::optional<wire::RunConfig>& ended,
                                  std::size_t sites, SavingsMeasured done) {
  nlohmann::json params = wire::encode(wire::AskSavings{policy});
  if (ended) params.update(wire::encode(wire::StartRun{*ended}));
  wire::RunGate gate([this](const wire::Misfit& misfit) { reportMisfit(misfit); });
  gate.open(sites);
  valueRequest<wire::Savings>("policy.savings", std::move(params), std::move(done), std::move(gate));
}

void EngineClient::measureWhatIf(const wire::AskWhatIf& question, std::size_t sites, WhatIfMeasured done) {
  wire::RunGate gate([this](const wire::Misfit& misfit) { reportMisfit(misfit); });
  gate.open(sites);
  valueRequest<wire::WhatIf>("observe.what_if", wire::encode(question), std::move(done), std::move(gate));
}

void EngineClient::loadCheckpoint(const std::string& file, const policy::Policy& policy, int revision, Done done) {
  plainRequest("checkpoint.load", wire::encode(wire::LoadCheckpoint{file, wire::PolicySet{revision, policy}}),
               kLoadingLimit, std::move(done));
}

}  // namespace binade::app
