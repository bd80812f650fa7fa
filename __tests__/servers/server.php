<?php
// A shop on PHP's built-in server: its fields and files are those that PHP itself reads.
header('Content-Type: application/json');
$answer = function (int $status, array $value): void {
    http_response_code($status);
    echo json_encode($value);
    exit;
};
if (($_SERVER['HTTP_AUTHORIZATION'] ?? '') !== 'Bearer ' . getenv('SHOP_TOKEN')) {
    $answer(401, ['message' => 'Unauthenticated.']);
}
if (!isset($_POST['version_name'], $_FILES['file'])) {
    $answer(422, ['message' => 'Fields are missing.', 'errors' => ['version_name' => ['is missing']]]);
}
$out = getenv('SHOP_OUT');
move_uploaded_file($_FILES['file']['tmp_name'], "$out/file");
file_put_contents("$out/fields.json", json_encode($_POST + ['file_name' => $_FILES['file']['name']]));
$answer(201, ['data' => ['id' => 7, 'changelog' => $_POST['changelog']]]);
