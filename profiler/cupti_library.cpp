// SPDX-License-Identifier: Apache-2.0
#include "profiler/cupti.h"
#include "profiler/cupti_functions.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>

namespace binade::profiler {

namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

/// Returns the loaded libraries whose file names start with `prefix`.
std::vector<std::string> mapped(const std::string& prefix) {
  struct Search {
    const std::string& prefix;
    std::vector<std::string> found;
  } search{prefix, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& search = *static_cast<Search*>(data);
        const std::string path = info->dlpi_name != nullptr ? info->dlpi_name : "";
        const std::size_t slash = path.rfind('/');
        const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
        if (path.compare(name, search.prefix.size(), search.prefix) == 0) search.found.push_back(path);
        return 0;
      },
      &search);
  return search.found;
}

std::vector<std::string> candidates() {
  std::vector<std::string> all{"libcupti.so.13"};
  for (const char* neighbour : {"libtorch_cpu", "libtorch_cuda", "libcudart"}) {
    for (const std::string& path : mapped(neighbour)) {
      const std::string folder = folder_of(path);
      for (const char* place : {"/libcupti.so.13", "/../../nvidia/cu13/lib/libcupti.so.13",
                                "/../../nvidia/cuda_cupti/lib/libcupti.so.13"}) {
        all.push_back(folder + place);
      }
    }
  }
  for (const char* place : {"lib64", "extras/CUPTI/lib64"}) {
    all.push_back("/usr/local/cuda/" + std::string(place) + "/libcupti.so.13");
  }
  return all;
}

void* open_first(std::string& looked_in) {
  for (const std::string& path : mapped("libcupti")) {
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD)) return library;
  }
  // A library named by the user is used alone: falling back to another would hide a mistake.
  if (const char* chosen = std::getenv("BINADE_CUPTI")) {
    void* library = dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) looked_in = "BINADE_CUPTI: " + std::string(dlerror());
    return library;
  }
  for (const std::string& path : candidates()) {
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    looked_in += (looked_in.empty() ? "" : ", ") + path;
  }
  return nullptr;
}

/// Loads libnvperf_host.so by full path, since libcupti opens it by its bare name and has no run path.
std::string open_nvperf(const std::string& folder) {
  if (dlopen("libnvperf_host.so", RTLD_NOW | RTLD_NOLOAD) == nullptr) {
    dlopen((folder + "/libnvperf_host.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
  }
  const std::vector<std::string> found = mapped("libnvperf_host");
  return found.empty() ? "" : found.front();
}

}  // namespace

bool built_with_cupti() {
  return true;
}

Cupti open_cupti() {
  Cupti cupti;
  std::string looked_in;
  void* library = open_first(looked_in);
  if (library == nullptr) {
    cupti.state = status(Code::kNoCupti, "; looked in " + looked_in);
    return cupti;
  }
  auto functions = std::make_shared<CuptiFunctions>();
  std::string missing;
#define BINADE_FIND(function)                                                                       \
  functions->function = reinterpret_cast<decltype(functions->function)>(dlsym(library, #function)); \
  if (functions->function == nullptr && missing.empty()) missing = #function;
  BINADE_CUPTI_FUNCTIONS(BINADE_FIND)
#undef BINADE_FIND
  Dl_info about{};
  if (functions->cuptiGetVersion != nullptr) {
    functions->cuptiGetVersion(&cupti.version);
    if (dladdr(reinterpret_cast<const void*>(functions->cuptiGetVersion), &about) != 0 && about.dli_fname != nullptr) {
      cupti.path = about.dli_fname;
    }
  }
  const std::uint32_t major = cupti.version / 10000;
  if (cupti.version != 0 && major != 13) {
    cupti.state = status(Code::kCuptiVersion, "CUPTI " + std::to_string(major) + " in " + cupti.path);
  } else if (!missing.empty()) {
    cupti.state = status(Code::kNoCupti, "; " + cupti.path + " lacks " + missing);
  } else {
    cupti.nvperf = open_nvperf(folder_of(cupti.path));
    if (cupti.nvperf.empty()) {
      cupti.state = status(Code::kNoCupti, "; libnvperf_host.so is not beside " + cupti.path);
    } else {
      cupti.state = status(Code::kAvailable);
      cupti.functions = std::move(functions);
    }
  }
  return cupti;
}

}  // namespace binade::profiler
