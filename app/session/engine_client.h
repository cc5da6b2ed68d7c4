// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/engine_command.h"
#include "app/session/worker.h"
#include "engine/wire/attach.h"
#include "engine/wire/data_preview.h"
#include "engine/wire/far_files.h"
#include "engine/wire/notifications.h"
#include "engine/wire/run_gate.h"
#include "engine/wire/savings.h"
#include "engine/wire/what_if.h"

#include <nlohmann/json_fwd.hpp>

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <variant>

namespace binade::wire {
class FrameReader;
struct Response;
}  // namespace binade::wire

namespace binade::app {

struct Unreadable;

/// The explorer's end of the wire protocol. Starts an engine as a child process, sends requests, receives answers and
/// notifications, and detects the end of the process. Every request is answered exactly once, with the engine's result
/// or with a Problem (refused, time-out, cancelled, engine gone), in whatever order the engine answers; what it sends
/// for a request that was answered before is dropped. Messages are decoded on a thread of their own and received in
/// their order. Nothing throws. Blocks only while 256 reads wait to be decoded, and in the destructor, which waits
/// briefly for the engine to end. GUI thread.
class EngineClient : public QObject {
  Q_OBJECT

 public:
  enum class State {
    kStopped,
    kStarting,  ///< the process is starting or running; engine.hello is not answered yet
    kReady,
  };

  /// Called with nullopt on success.
  using Done = std::function<void(std::optional<Problem>)>;
  using Previewed = std::function<void(const std::variant<wire::DataPreview, Problem>&)>;
  using Compared = std::function<void(const std::variant<wire::Float32Comparison, Problem>&)>;
  using WhatIfMeasured = std::function<void(const std::variant<wire::WhatIf, Problem>&)>;
  using SavingsMeasured = std::function<void(const std::variant<wire::Savings, Problem>&)>;
  using Listed = std::function<void(const std::variant<wire::DataArrays, Problem>&)>;
  using Saved = std::function<void(const std::variant<wire::CheckpointInfo, Problem>&)>;
  using FolderListed = std::function<void(const std::variant<wire::FolderList, Problem>&)>;
  using PartRead = std::function<void(const std::variant<wire::FilePart, Problem>&)>;
  using TrustListed = std::function<void(const std::variant<wire::TrustedModels, Problem>&)>;
  using Inspected = std::function<void(const std::variant<wire::ModelInfo, Problem>&)>;

  explicit EngineClient(EngineCommand command, QObject* parent = nullptr);
  ~EngineClient() override;

  State state() const { return state_; }
  const EngineCommand& command() const { return command_; }
  const wire::Welcome& welcome() const { return welcome_; }
  qint64 processId() const;
  /// Sets whether this explorer only watches a training that it is attached to from the next start on, even if nobody
  /// edits it.
  void setWatching(bool watching) { watching_ = watching; }
  /// Sets the engine that start() starts. Only while the state is kStopped.
  void setCommand(EngineCommand command);
  /// The last lines that the engine, or the ssh that should start it, wrote to standard error; oldest first.
  QString errorOutput() const { return last_lines_.join(u'\n'); }

  /// Whether the engine that stopped last ended at its start because its system cannot confine it. What it wrote to
  /// standard error says why.
  bool cannotConfine() const { return cannot_confine_; }
  /// The exit code of the engine that stopped last; nullopt: it did not start, or did not end by itself.
  std::optional<int> exitCode() const { return exit_code_; }
  /// Whether the engine that stopped last could not start because LibTorch is not installed.
  bool lacksLibTorch() const { return lacks_libtorch_; }

  /// Sets the time-out of requests, for slow links and tests. Starting and loading have longer time-outs, which this
  /// value can only extend.
  void setAnswerLimit(std::chrono::milliseconds limit) { answer_limit_ = limit; }
  /// Sets after which time without an answer waiting() is emitted, for tests.
  void setPatience(std::chrono::milliseconds patience) {
    patience_ = patience;
    if (patience_over_.isActive()) patience_over_.start(patience);
  }

  void inspect(const QString& file, Inspected done);
  /// Trusts a model file, by its hash, for the user of the engine's computer.
  void trustModel(const QString& file, const QString& sha256, Done done);
  void listTrustedModels(TrustListed done);
  /// Ends the trust in a model. The answer has what is left.
  void endTrust(const QString& sha256, TrustListed done);
  void startRun(const wire::RunConfig& config, Done done);
  void startDemo(Done done);
  void pause(Done done);
  void resume(Done done);
  void step(Done done);
  void stop(Done done);
  void setPolicy(const policy::Policy& policy, int revision, Done done);
  void setScale(double scale, const std::string& id, Done done);
  void tuneScaler(const wire::ScalerConfig& scaler, Done done);
  void setObserve(const wire::ObserveConfig& observe, Done done);
  void setProfile(const wire::ProfileConfig& profile, Done done);
  /// `ended`: the ended run, if none is running; its `resume` names the checkpoint to use if the engine no longer has
  /// the run's final state. `sites`: the run's number of op calls, since this engine may not have started it.
  void compareWithFloat32(const std::optional<wire::RunConfig>& ended, std::size_t sites, Compared done);
  /// Measures what a policy would save, without applying it. `ended` and `sites` as above.
  void measureSavings(const policy::Policy& policy, const std::optional<wire::RunConfig>& ended, std::size_t sites,
                      SavingsMeasured done);
  /// Measures formats on an operand of the running training.
  void measureWhatIf(const wire::AskWhatIf& question, std::size_t sites, WhatIfMeasured done);
  /// Rewinds to the state in `file`, under this policy.
  void loadCheckpoint(const std::string& file, const policy::Policy& policy, int revision, Done done);
  /// Rewinds to the state in `file`, under the checkpoint's own policy.
  void loadCheckpoint(const std::string& file, Done done);
  void saveCheckpoint(Saved done);
  /// Saves one that a Try or a search starts from; it takes no place of the run's own checkpoints.
  void saveCheckpointForTry(Saved done);
  void saveModel(const QString& file, const std::optional<wire::RunConfig>& ended, Done done);
  void previewData(const wire::RunConfig& config, Previewed done);
  void listArrays(const std::vector<std::string>& files, Listed done);
  /// Lists a folder of the engine's computer; empty: the home folder of its user.
  void listFolder(const QString& path, bool hidden, FolderListed done);
  /// Reads a part of a run file on the engine's computer.
  void readFile(const wire::ReadFile& part, PartRead done);
  /// Makes this explorer the editor of the training that it is attached to, in place of another.
  void takeEditing(Done done);
  /// Lets others edit the training that this explorer is attached to.
  void releaseEditing(Done done);

 public Q_SLOTS:
  /// Starts the process; does nothing if it is running. ready() or stopped() follows.
  void start();
  /// Ends the process without a stopped() signal. It gets a moment to end by itself, while start() may already be
  /// called again.
  void shutDown();
  /// Answers all open requests with a problem that says so; an engine that is starting is ended. An engine may still do
  /// what it was asked for, but its answers are dropped.
  void cancelRequests();

 Q_SIGNALS:
  void stateChanged();
  void ready(const binade::wire::Welcome& welcome);
  /// The engine has ended or could not be started: the reason, with its last lines of output.
  void stopped(const binade::app::Problem& problem);

  /// The oldest open request has had no answer, and no progress, for some seconds.
  void waiting(const QString& method, double seconds);
  /// That request was answered, or its time-out restarted by progress.
  void waitingEnded();

  /// Everything that the engine reports, in its order, without the parts that do not fit the run. Includes
  /// log lines made from the engine's standard error, and for removed parts. Marks of the link are answered here. A
  /// comparison is reported when the run makes one by itself, and together with the answer to a request.
  void notified(const binade::wire::RunNotification& notification);

 private:
  using Answer = std::variant<nlohmann::json, Problem>;
  struct Pending {
    std::function<void(const Answer&)> done;
    std::unique_ptr<QTimer> limit;
    QString method;
    QElapsedTimer asked;  ///< since the request, or since the last progress
  };

  void request(const char* method, nlohmann::json params, std::chrono::milliseconds limit,
               std::function<void(const Answer&)> done);
  /// The answer must fit the run of `gate`, or by default the run that this engine started.
  template <class Value>
  void valueRequest(const char* method, nlohmann::json params,
                    std::function<void(const std::variant<Value, Problem>&)> done,
                    std::optional<wire::RunGate> gate = std::nullopt);
  void reportMisfit(const wire::Misfit& misfit);
  void plainRequest(const char* method, nlohmann::json params, std::chrono::milliseconds limit, Done done);
  wire::Hello hello() const;
  void sendHello();
  void readMessages();
  void readErrorOutput();
  void takeErrorLine(const QByteArray& bytes);
  void ended(const QString& what);
  void receive(const wire::Response& response);
  void receive(wire::RunNotification& notification);
  void returnMark(const wire::LinkMark& mark);
  void receive(const Unreadable& message);
  void beginRun(const wire::RunStarted& started);
  void endBegunRun(const QString& why);
  void addToLog(const char* level, const QString& text);
  void processEnded(const QString& what, const QString& hint);
  void failAll(const Problem& problem);
  void noteProgress();
  void checkPatience();
  void endWaiting();
  void setState(State state);

  EngineCommand command_;
  std::unique_ptr<QProcess> process_;
  std::shared_ptr<wire::FrameReader> reader_;  ///< used by tasks of decoder_ only
  State state_ = State::kStopped;
  wire::Welcome welcome_;
  wire::RunGate gate_;
  std::string at_gate_;  ///< the method being checked, for messages
  std::int64_t next_id_ = 1;
  std::map<std::int64_t, Pending> pending_;
  bool watching_ = false;
  std::optional<int> exit_code_;
  bool cannot_confine_ = false;
  bool lacks_libtorch_ = false;
  QStringList last_lines_;  ///< the last lines of the engine's standard error, oldest first
  QByteArray partial_line_;
  std::chrono::milliseconds answer_limit_{10000};
  std::chrono::milliseconds patience_{5000};
  QTimer patience_over_;
  std::int64_t waiting_for_ = 0;  ///< the request of waiting(); 0: none
  Worker decoder_;
};

}  // namespace binade::app
