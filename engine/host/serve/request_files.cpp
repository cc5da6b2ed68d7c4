// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/request_files.h"

#include "engine/formats/error.h"
#include "engine/host/input/run_access.h"
#include "engine/wire/codec.h"

#include <utility>

namespace binade::host {

namespace {

/// The files of a run that is not started: nothing is written.
confine::Access read_access(wire::RunConfig config) {
  config.checkpoint = {};
  config.run_file.clear();
  return run_access(config);
}

/// A preview shows data, which does not depend on a checkpoint.
confine::Access preview_access(wire::RunConfig config) {
  config.resume.clear();
  return read_access(std::move(config));
}

void decode_files(const wire::Request& request, RequestFiles& files) {
  const std::string& method = request.method;
  if (method == "model.inspect") {
    files.access = model_access(wire::decode<wire::InspectModel>(request.params).file);
  } else if (method == "data.preview") {
    files.access = preview_access(wire::decode<wire::PreviewData>(request.params).config);
  } else if (method == "data.arrays") {
    files.access.reads = wire::decode<wire::ListArrays>(request.params).files;
  } else if (method == "checkpoint.list") {
    files.access.read_folders = {wire::decode<wire::ListCheckpoints>(request.params).folder};
  } else if (method == "checkpoint.load") {
    files.input = wire::decode<wire::LoadCheckpoint>(request.params).file;
  } else if (method == "model.save") {
    files.output = wire::decode<wire::SaveModel>(request.params).file;
  }
  if (files.engine == RequestFiles::For::kInspection || !request.params.contains("config")) return;
  files.names_run = true;
  wire::RunConfig config = wire::decode<wire::StartRun>(request.params).config;
  files.access = files.starts ? run_access(config) : read_access(std::move(config));
}

}  // namespace

RequestFiles files_of(const wire::Request& request) {
  RequestFiles files;
  const std::string& method = request.method;
  const bool looks = method == "engine.hello" || method == "model.inspect" || method.starts_with("data.") ||
                     method == "checkpoint.list";
  files.engine = looks ? RequestFiles::For::kInspection : RequestFiles::For::kRun;
  files.starts = method == "run.start";
  try {
    decode_files(request, files);
  } catch (const Error& error) {
    if (error.code == ErrorCode::kUnsafe) throw;
    files.access = {};
  }
  return files;
}

}  // namespace binade::host
