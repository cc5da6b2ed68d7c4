// SPDX-License-Identifier: Apache-2.0
#include "engine/files/pickle.h"

#include "engine/files/pickle_names.h"
#include "engine/formats/error.h"
#include "engine/graph/pickle_machine.h"

#include <optional>
#include <string_view>

// The opcodes are documented in Python's Lib/pickletools.py.

namespace binade::files {

namespace {

enum Op : std::uint8_t {
  kMark = '(',
  kStop = '.',
  kPop = '0',
  kPopMark = '1',
  kBinFloat = 'G',
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kNone = 'N',
  kBinPersId = 'Q',
  kReduce = 'R',
  kBinUnicode = 'X',
  kAppend = 'a',
  kBuild = 'b',
  kGlobal = 'c',
  kDict = 'd',
  kEmptyDict = '}',
  kAppends = 'e',
  kBinGet = 'h',
  kLongBinGet = 'j',
  kList = 'l',
  kEmptyList = ']',
  kBinPut = 'q',
  kLongBinPut = 'r',
  kSetItem = 's',
  kTuple = 't',
  kEmptyTuple = ')',
  kSetItems = 'u',
  kProto = 0x80,
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kLong1 = 0x8a,
  kShortBinBytes = 'C',
  kBinBytes = 'B',
  kShortBinUnicode = 0x8c,
  kBinUnicode8 = 0x8d,
  kStackGlobal = 0x93,
  kMemoize = 0x94,
  kFrame = 0x95,
};

constexpr std::size_t kMostValues = 16'000'000;
constexpr std::string_view kSaveAgain =
    "Save it again with torch.save(tensors, FILE), where tensors is a dict of names and tensors.";

class PickleReader : graph::PickleMachine<PickleValue> {
 public:
  PickleReader(const Bytes& stream, const FindStorage& storage, const std::string& what)
      : PickleMachine(stream.text(), {what, "it is truncated", kSaveAgain}, kMostValues), storage_(storage) {}

  Pickle read() {
    while (true) {
      const auto op = static_cast<Op>(number(1));
      if (op == kStop) break;
      run(op);
    }
    const Ref root = pop();
    return {std::move(values_), root};
  }

 private:
  void push(decltype(PickleValue::value) value) { PickleMachine::push(PickleValue{std::move(value)}); }

  void run(Op op) {
    switch (op) {
      case kProto:
        if (const auto version = number(1); version < 2 || version > 5) {
          damaged("it is a pickle of protocol " + std::to_string(version) + "; supported are 2 to 5");
        }
        return;
      case kFrame:
        number(8);
        return;
      case kNone:
        return push(PickleValue::None{});
      case kNewTrue:
        return push(true);
      case kNewFalse:
        return push(false);
      case kBinInt:
        return push(std::int64_t{static_cast<std::int32_t>(number(4))});
      case kBinInt1:
        return push(static_cast<std::int64_t>(number(1)));
      case kBinInt2:
        return push(static_cast<std::int64_t>(number(2)));
      case kLong1:
        return push(long_number());
      case kBinFloat:
        return push(big_endian_double());
      case kBinUnicode:
      case kBinBytes:
        return push(std::string(take(number(4))));
      case kShortBinUnicode:
      case kShortBinBytes:
        return push(std::string(take(number(1))));
      case kBinUnicode8:
        return push(std::string(take(number(8))));
      case kEmptyList:
        return push(PickleValue::List{});
      case kEmptyTuple:
        return push(PickleValue::Tuple{});
      case kEmptyDict:
        return push(PickleValue::Dict{});
      default:
        return run_on_stack(op);
    }
  }

  void run_on_stack(Op op) {
    switch (op) {
      case kMark:
        return mark();
      case kPop:
        pop();
        return;
      case kPopMark:
        since_mark();
        return;
      case kList:
        return push(PickleValue::List{since_mark()});
      case kTuple:
        return push(PickleValue::Tuple{since_mark()});
      case kTuple1:
      case kTuple2:
      case kTuple3:
        return push(PickleValue::Tuple{last(static_cast<std::size_t>(op - kTuple1) + 1)});
      case kAppend:
        return append(last(1));
      case kAppends:
        return append(since_mark());
      case kDict: {
        std::vector<Ref> items = since_mark();
        push(PickleValue::Dict{});
        return set_items(items);
      }
      case kSetItem:
        return set_items(last(2));
      case kSetItems:
        return set_items(since_mark());
      case kBinPut:
        return remember(number(1));
      case kLongBinPut:
        return remember(number(4));
      case kMemoize:
        return memoize();
      case kBinGet:
        return recall(number(1));
      case kLongBinGet:
        return recall(number(4));
      case kGlobal: {
        const std::string module(line());
        return global(module + "." + std::string(line()));
      }
      case kStackGlobal: {
        const std::vector<Ref> names = last(2);
        return global(text_of(names[0]) + "." + text_of(names[1]));
      }
      case kBinPersId:
        return persistent(pop());
      case kReduce:
        return reduce(last(2));
      case kBuild:
        return build(pop());
      default:
        damaged("it uses the pickle opcode " + std::to_string(op) + ", which tensors and plain values do not need");
    }
  }

  /// Reads a number of more than 64 bits as 0, since no tensor needs it.
  std::int64_t long_number() {
    const std::uint64_t size = number(1);
    if (size <= 8) return signed_number(size);
    take(size);
    return 0;
  }

  // Containers.

  void append(const std::vector<Ref>& items) {
    auto* const list = std::get_if<PickleValue::List>(&top().value);
    if (list == nullptr) damaged("it appends to an object that is not a list");
    list->items.insert(list->items.end(), items.begin(), items.end());
  }
  void set_items(const std::vector<Ref>& items) {
    auto* const dict = std::get_if<PickleValue::Dict>(&top().value);
    if (dict == nullptr || items.size() % 2 != 0) damaged("it sets items of an object that is not a dict");
    for (std::size_t i = 0; i < items.size(); i += 2) dict->items.emplace_back(items[i], items[i + 1]);
  }

  // Names, and what is made by calling them.

  std::string text_of(Ref value) const {
    const auto* text = std::get_if<std::string>(&value->value);
    if (text == nullptr) damaged("a name in it is not a string");
    return *text;
  }

  void global(std::string name) {
    if (!is_known_name(name)) {
      if (name.starts_with("torch._utils._rebuild_sparse")) {
        throw Error(ErrorCode::kBadFile, what() + " contains a sparse tensor; only dense tensors are supported",
                    "Save it as a dense tensor in Python: tensor.to_dense().");
      }
      throw Error(ErrorCode::kUnsafe,
                  what() + " is refused: it contains " + name + ", which could run code when loaded",
                  "Save only tensors, as torch.save(model.state_dict(), FILE) does. To extract them from a trusted "
                  "checkpoint in Python: torch.save(torch.load(FILE, weights_only=False)[\"state_dict\"], OUT).");
    }
    push(PickleValue::Global{std::move(name)});
  }

  /// ("storage", class, key, device, number of elements)
  void persistent(Ref id) {
    const auto* parts = std::get_if<PickleValue::Tuple>(&id->value);
    if (parts == nullptr || parts->items.size() != 5 || text_of(parts->items[0]) != "storage") {
      damaged("it refers to an external object that is not a storage");
    }
    const auto* type = std::get_if<PickleValue::Global>(&parts->items[1]->value);
    const auto* count = std::get_if<std::int64_t>(&parts->items[4]->value);
    const auto dtype = type != nullptr ? storage_dtype(type->name) : std::nullopt;
    if (!dtype || count == nullptr || *count < 0) damaged("it refers to a storage of an unknown type");
    const std::string key = text_of(parts->items[2]);
    PickleValue::Storage storage{storage_(key), *dtype};
    const auto size = tensor_bytes({*count}, c10::elementSize(*dtype));
    if (!size || *size != storage.bytes.size()) {
      damaged("its storage " + key + " should have " + std::to_string(*count) + " elements, but has " +
              std::to_string(storage.bytes.size()) + " bytes");
    }
    push(std::move(storage));
  }

  void reduce(const std::vector<Ref>& call) {
    const auto* function = std::get_if<PickleValue::Global>(&call[0]->value);
    const auto* arguments = std::get_if<PickleValue::Tuple>(&call[1]->value);
    if (function == nullptr || arguments == nullptr) damaged("it calls an object that is not a function");
    auto value = made(function->name, arguments->items);
    if (!value) damaged(function->name + " in it has arguments that do not make a tensor or plain value");
    push(std::move(*value));
  }

  /// A state dict's _metadata; there is nothing in it that tensors need.
  void build(Ref /*state*/) {
    if (std::get_if<PickleValue::Dict>(&top().value) == nullptr)
      damaged("it sets the state of an object that is not a dict");
  }

  const FindStorage& storage_;
};

}  // namespace

Pickle read_pickle(const Bytes& stream, const FindStorage& storage, const std::string& what) {
  return PickleReader(stream, storage, what).read();
}

}  // namespace binade::files
