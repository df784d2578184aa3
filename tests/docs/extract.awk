# Writes every block between ```cpp and ``` to a file of its own: awk -v out=FOLDER -f extract.awk PAGE
/^```cpp$/ { file = sprintf("%s/example_%d.cpp", out, ++n); next }
/^```$/ { file = "" }
file != "" { print > file }
